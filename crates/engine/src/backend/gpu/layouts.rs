//! Structures that kernels and Rust share: tests compare names and places of their members.

use wgpu::naga::TypeInner;
use wgpu::naga::front::wgsl;

/// A member's name, and where it begins (bytes).
pub type MemberOffset = (String, u32);

/// The members of a structure of a kernel, and its size (bytes).
pub fn structure(text: &str, name: &str) -> (Vec<MemberOffset>, usize) {
    let module = wgsl::parse_str(text).unwrap_or_else(|error| panic!("{}", error.emit_to_string(text)));
    let found = module.types.iter().find(|(_, kind)| kind.name.as_deref() == Some(name));
    let TypeInner::Struct { members, span } = &found.expect(name).1.inner else {
        panic!("{name} is a struct")
    };
    let members = members.iter().map(|member| (member.name.clone().expect("a name"), member.offset));
    (members.collect(), *span as usize)
}

/// The members of a structure of Rust, of these names.
macro_rules! members {
    ($structure:ty: $($member:ident),* $(,)?) => {
        vec![$((stringify!($member).to_string(), std::mem::offset_of!($structure, $member) as u32)),*]
    };
}
pub(super) use members;
