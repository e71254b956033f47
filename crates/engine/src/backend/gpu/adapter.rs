//! Adapters as a user sees and asks for them.

/// A GPU as the user sees it in `polhode devices`.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub struct AdapterSummary {
    pub name: String,
    /// `discrete`, `integrated`, `virtual`, `software` or `other`.
    pub kind: &'static str,
    pub backend: String,
    pub driver: String,
    /// 64-bit floating point in shaders.
    pub f64: bool,
    /// Largest buffer a kernel can see (bytes).
    pub binding_limit_bytes: u64,
    /// Largest buffer (bytes).
    pub buffer_limit_bytes: u64,
    pub workgroup_invocations: u32,
}

impl AdapterSummary {
    /// It is known by this in what runs leave for later ones: another driver is another device.
    pub fn known_as(&self) -> String {
        format!("{}, {}", self.name, self.driver)
    }
}

/// Which adapters a study accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AdapterChoice {
    /// Hardware only.
    Real,
    /// Any, real ones first.
    Any,
    /// The first whose name contains this, in any case.
    Named(String),
}
