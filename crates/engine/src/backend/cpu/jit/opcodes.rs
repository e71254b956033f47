//! Which instruction does what, by element type and vector width.

use fearless_simd::Level;
use iced_x86::{Code as Opcode, Register};

/// Registers of AVX-512.
pub(super) const WIDE_REGISTERS: usize = 32;

/// The instructions for one element type at one vector width.
pub(super) struct Opcodes {
    /// Bytes of a vector and of an element.
    pub(super) vector: usize,
    pub(super) element: usize,
    pub(super) registers: usize,
    pub(super) first: Register,
    pub(super) load: Opcode,
    pub(super) store: Opcode,
    pub(super) add: Opcode,
    pub(super) sub: Opcode,
    pub(super) mul: Opcode,
    pub(super) div: Opcode,
    pub(super) sqrt: Opcode,
    pub(super) floor: Opcode,
    pub(super) xor: Opcode,
    pub(super) compare: Opcode,
    pub(super) blend: Blend,
    pub(super) mul_add: Fused,
    pub(super) mul_sub: Fused,
    pub(super) neg_mul_add: Fused,
}

/// The way in which the result of a comparison selects between two vectors.
pub(super) enum Blend {
    /// By the sign bits of a vector, the last operand.
    Vector(Opcode),
    /// By the mask register that the comparison wrote.
    Mask(Opcode),
}

/// The forms of a multiply-add of the registers or memory x, y, z, the result in x.
pub(super) struct Fused {
    /// x z + y
    pub(super) f132: Opcode,
    /// y x + z
    pub(super) f213: Opcode,
    /// y z + x
    pub(super) f231: Opcode,
}

macro_rules! fused {
    ($f132:ident $f213:ident $f231:ident) => {
        Fused { f132: Opcode::$f132, f213: Opcode::$f213, f231: Opcode::$f231 }
    };
}

static AVX2_F32: Opcodes = Opcodes {
    vector: 32,
    element: 4,
    registers: 16,
    first: Register::YMM0,
    load: Opcode::VEX_Vmovups_ymm_ymmm256,
    store: Opcode::VEX_Vmovups_ymmm256_ymm,
    add: Opcode::VEX_Vaddps_ymm_ymm_ymmm256,
    sub: Opcode::VEX_Vsubps_ymm_ymm_ymmm256,
    mul: Opcode::VEX_Vmulps_ymm_ymm_ymmm256,
    div: Opcode::VEX_Vdivps_ymm_ymm_ymmm256,
    sqrt: Opcode::VEX_Vsqrtps_ymm_ymmm256,
    floor: Opcode::VEX_Vroundps_ymm_ymmm256_imm8,
    xor: Opcode::VEX_Vxorps_ymm_ymm_ymmm256,
    compare: Opcode::VEX_Vcmpps_ymm_ymm_ymmm256_imm8,
    blend: Blend::Vector(Opcode::VEX_Vblendvps_ymm_ymm_ymmm256_ymm),
    mul_add: fused!(
        VEX_Vfmadd132ps_ymm_ymm_ymmm256
        VEX_Vfmadd213ps_ymm_ymm_ymmm256
        VEX_Vfmadd231ps_ymm_ymm_ymmm256
    ),
    mul_sub: fused!(
        VEX_Vfmsub132ps_ymm_ymm_ymmm256
        VEX_Vfmsub213ps_ymm_ymm_ymmm256
        VEX_Vfmsub231ps_ymm_ymm_ymmm256
    ),
    neg_mul_add: fused!(
        VEX_Vfnmadd132ps_ymm_ymm_ymmm256
        VEX_Vfnmadd213ps_ymm_ymm_ymmm256
        VEX_Vfnmadd231ps_ymm_ymm_ymmm256
    ),
};

static AVX2_F64: Opcodes = Opcodes {
    vector: 32,
    element: 8,
    registers: 16,
    first: Register::YMM0,
    load: Opcode::VEX_Vmovupd_ymm_ymmm256,
    store: Opcode::VEX_Vmovupd_ymmm256_ymm,
    add: Opcode::VEX_Vaddpd_ymm_ymm_ymmm256,
    sub: Opcode::VEX_Vsubpd_ymm_ymm_ymmm256,
    mul: Opcode::VEX_Vmulpd_ymm_ymm_ymmm256,
    div: Opcode::VEX_Vdivpd_ymm_ymm_ymmm256,
    sqrt: Opcode::VEX_Vsqrtpd_ymm_ymmm256,
    floor: Opcode::VEX_Vroundpd_ymm_ymmm256_imm8,
    xor: Opcode::VEX_Vxorpd_ymm_ymm_ymmm256,
    compare: Opcode::VEX_Vcmppd_ymm_ymm_ymmm256_imm8,
    blend: Blend::Vector(Opcode::VEX_Vblendvpd_ymm_ymm_ymmm256_ymm),
    mul_add: fused!(
        VEX_Vfmadd132pd_ymm_ymm_ymmm256
        VEX_Vfmadd213pd_ymm_ymm_ymmm256
        VEX_Vfmadd231pd_ymm_ymm_ymmm256
    ),
    mul_sub: fused!(
        VEX_Vfmsub132pd_ymm_ymm_ymmm256
        VEX_Vfmsub213pd_ymm_ymm_ymmm256
        VEX_Vfmsub231pd_ymm_ymm_ymmm256
    ),
    neg_mul_add: fused!(
        VEX_Vfnmadd132pd_ymm_ymm_ymmm256
        VEX_Vfnmadd213pd_ymm_ymm_ymmm256
        VEX_Vfnmadd231pd_ymm_ymm_ymmm256
    ),
};

static AVX512_F32: Opcodes = Opcodes {
    vector: 64,
    element: 4,
    registers: WIDE_REGISTERS,
    first: Register::ZMM0,
    load: Opcode::EVEX_Vmovups_zmm_k1z_zmmm512,
    store: Opcode::EVEX_Vmovups_zmmm512_k1z_zmm,
    add: Opcode::EVEX_Vaddps_zmm_k1z_zmm_zmmm512b32_er,
    sub: Opcode::EVEX_Vsubps_zmm_k1z_zmm_zmmm512b32_er,
    mul: Opcode::EVEX_Vmulps_zmm_k1z_zmm_zmmm512b32_er,
    div: Opcode::EVEX_Vdivps_zmm_k1z_zmm_zmmm512b32_er,
    sqrt: Opcode::EVEX_Vsqrtps_zmm_k1z_zmmm512b32_er,
    floor: Opcode::EVEX_Vrndscaleps_zmm_k1z_zmmm512b32_imm8_sae,
    xor: Opcode::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32,
    compare: Opcode::EVEX_Vcmpps_kr_k1_zmm_zmmm512b32_imm8_sae,
    blend: Blend::Mask(Opcode::EVEX_Vblendmps_zmm_k1z_zmm_zmmm512b32),
    mul_add: fused!(
        EVEX_Vfmadd132ps_zmm_k1z_zmm_zmmm512b32_er
        EVEX_Vfmadd213ps_zmm_k1z_zmm_zmmm512b32_er
        EVEX_Vfmadd231ps_zmm_k1z_zmm_zmmm512b32_er
    ),
    mul_sub: fused!(
        EVEX_Vfmsub132ps_zmm_k1z_zmm_zmmm512b32_er
        EVEX_Vfmsub213ps_zmm_k1z_zmm_zmmm512b32_er
        EVEX_Vfmsub231ps_zmm_k1z_zmm_zmmm512b32_er
    ),
    neg_mul_add: fused!(
        EVEX_Vfnmadd132ps_zmm_k1z_zmm_zmmm512b32_er
        EVEX_Vfnmadd213ps_zmm_k1z_zmm_zmmm512b32_er
        EVEX_Vfnmadd231ps_zmm_k1z_zmm_zmmm512b32_er
    ),
};

static AVX512_F64: Opcodes = Opcodes {
    vector: 64,
    element: 8,
    registers: WIDE_REGISTERS,
    first: Register::ZMM0,
    load: Opcode::EVEX_Vmovupd_zmm_k1z_zmmm512,
    store: Opcode::EVEX_Vmovupd_zmmm512_k1z_zmm,
    add: Opcode::EVEX_Vaddpd_zmm_k1z_zmm_zmmm512b64_er,
    sub: Opcode::EVEX_Vsubpd_zmm_k1z_zmm_zmmm512b64_er,
    mul: Opcode::EVEX_Vmulpd_zmm_k1z_zmm_zmmm512b64_er,
    div: Opcode::EVEX_Vdivpd_zmm_k1z_zmm_zmmm512b64_er,
    sqrt: Opcode::EVEX_Vsqrtpd_zmm_k1z_zmmm512b64_er,
    floor: Opcode::EVEX_Vrndscalepd_zmm_k1z_zmmm512b64_imm8_sae,
    xor: Opcode::EVEX_Vpxorq_zmm_k1z_zmm_zmmm512b64,
    compare: Opcode::EVEX_Vcmppd_kr_k1_zmm_zmmm512b64_imm8_sae,
    blend: Blend::Mask(Opcode::EVEX_Vblendmpd_zmm_k1z_zmm_zmmm512b64),
    mul_add: fused!(
        EVEX_Vfmadd132pd_zmm_k1z_zmm_zmmm512b64_er
        EVEX_Vfmadd213pd_zmm_k1z_zmm_zmmm512b64_er
        EVEX_Vfmadd231pd_zmm_k1z_zmm_zmmm512b64_er
    ),
    mul_sub: fused!(
        EVEX_Vfmsub132pd_zmm_k1z_zmm_zmmm512b64_er
        EVEX_Vfmsub213pd_zmm_k1z_zmm_zmmm512b64_er
        EVEX_Vfmsub231pd_zmm_k1z_zmm_zmmm512b64_er
    ),
    neg_mul_add: fused!(
        EVEX_Vfnmadd132pd_zmm_k1z_zmm_zmmm512b64_er
        EVEX_Vfnmadd213pd_zmm_k1z_zmm_zmmm512b64_er
        EVEX_Vfnmadd231pd_zmm_k1z_zmm_zmmm512b64_er
    ),
};

pub(super) fn opcodes(level: Level, element: usize) -> Option<&'static Opcodes> {
    let wide = level.as_avx512().is_some();
    let narrow = level.as_avx2().is_some();
    match element {
        4 if wide => Some(&AVX512_F32),
        8 if wide => Some(&AVX512_F64),
        4 if narrow => Some(&AVX2_F32),
        8 if narrow => Some(&AVX2_F64),
        _ => None,
    }
}
