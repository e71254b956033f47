//! Dormand and Prince's Runge-Kutta method of order 8 with estimates of order 5 and 3: with a fixed
//! step, or with steps of its own.

use super::own_steps::{self, ErrorPowers, ErrorSize, OwnSteps};
use super::runge_kutta::{embedded, runge_kutta};
use super::{Card, Method, MethodRole, Sample, State, Takes};
use crate::base::Options;
use crate::kinematics::body::Motion;
use crate::model::system::System;
use crate::real::Real;

/// The method; `tolerance`: that of its own steps, if it takes such.
#[derive(Clone, Debug, PartialEq)]
pub struct DormandPrince8 {
    tolerance: Option<f64>,
}

/// `A[i]`: weights of the rates 0 to i - 1 in stage i.
#[rustfmt::skip]
const A: [&[f64]; 12] = [
    &[],
    &[0.052_600_151_958_767_73],
    &[0.019_725_056_984_537_9, 0.059_175_170_953_613_7],
    &[0.029_587_585_476_806_85, 0.0, 0.088_762_756_430_420_54],
    &[0.241_365_134_159_266_7, 0.0, -0.884_549_479_328_286_1, 0.924_834_003_261_792],
    &[0.037_037_037_037_037_035, 0.0, 0.0, 0.170_828_608_729_473_86, 0.125_467_687_566_822_42],
    &[0.037_109_375, 0.0, 0.0, 0.170_252_211_019_544_05, 0.060_216_538_980_455_96, -0.017_578_125],
    &[
        0.037_092_000_118_504_79, 0.0, 0.0, 0.170_383_925_712_239_98,
        0.107_262_030_446_373_28, -0.015_319_437_748_624_402, 0.008_273_789_163_814_023,
    ],
    &[
        0.624_110_958_716_075_7, 0.0, 0.0, -3.360_892_629_446_941_4,
        -0.868_219_346_841_726, 27.592_099_699_446_71, 20.154_067_550_477_894, -43.489_884_181_069_96,
    ],
    &[
        0.477_662_536_438_264_34, 0.0, 0.0, -2.488_114_619_971_667_7,
        -0.590_290_826_836_843, 21.230_051_448_181_193, 15.279_233_632_882_423, -33.288_210_968_984_86,
        -0.020_331_201_708_508_627,
    ],
    &[
        -0.937_142_430_085_987_3, 0.0, 0.0, 5.186_372_428_844_064,
        1.091_437_348_996_729_5, -8.149_787_010_746_927, -18.520_065_659_996_96, 22.739_487_099_350_505,
        2.493_605_552_679_652_3, -3.046_764_471_898_219_6,
    ],
    &[
        2.273_310_147_516_538, 0.0, 0.0, -10.534_495_466_737_25,
        -2.000_872_058_224_862_5, -17.958_931_863_118_8, 27.948_884_529_419_96, -2.858_998_277_135_023_5,
        -8.872_856_933_530_63, 12.360_567_175_794_303, 0.643_392_746_015_763_6,
    ],
];

/// The instants of the stages, in steps: the sums of the rows of A.
#[rustfmt::skip]
const C: [f64; 12] = [
    0.0, 0.052_600_151_958_767_73, 0.078_900_227_938_151_6, 0.118_350_341_907_227_4,
    0.281_649_658_092_772_6, 1.0 / 3.0, 0.25, 0.307_692_307_692_307_7,
    0.651_282_051_282_051_3, 0.6, 0.857_142_857_142_857_1, 1.0,
];

/// Weights of the rates in the solution of order 8.
#[rustfmt::skip]
const B: [f64; 12] = [
    0.054_293_734_116_568_765, 0.0, 0.0, 0.0,
    0.0, 4.450_312_892_752_409, 1.891_517_899_314_500_3, -5.801_203_960_010_585,
    0.311_164_366_957_819_9, -0.152_160_949_662_516_1, 0.201_365_400_804_030_34, 0.044_710_615_727_772_59,
];

/// Weights of the rates in the difference to a solution of order 5.
#[rustfmt::skip]
const E5: [f64; 12] = [
    0.013_120_044_994_194_88, 0.0, 0.0, 0.0,
    0.0, -1.225_156_446_376_204_4, -0.495_758_949_657_250_2, 1.664_377_182_454_986_4,
    -0.350_328_848_749_973_7, 0.334_179_118_713_017_5, 0.081_923_206_485_115_71, -0.022_355_307_863_886_294,
];

/// Weights of the rates in the solution of order 3: of stages 1, 9 and 12.
const OF_ORDER_3: [(usize, f64); 3] =
    [(0, 0.244_094_488_188_976_4), (8, 0.733_846_688_281_611_9), (11, 0.022_058_823_529_411_766)];

impl Method for DormandPrince8 {
    const CARD: Card = Card {
        name: "dop853",
        title: "Runge-Kutta step of order 8 by Dormand and Prince, fixed or each instance's own",
        source: "Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I, 1993, II.10",
        order: 8,
        limit: None,
        conserves: "nothing; in f64 energy to rounding for steps of a few hundredths of a turn",
        takes: Takes::AnyMechanism,
        resynchronises: false,
        roles: &[MethodRole::Accurate],
        keys: &[own_steps::KEY],
        text: "\
Twelve stages and the weights of order 8:

```text
k_i = h f(y + sum over j < i of a_ij k_j) ;  y1 = y + sum of b_i k_i ;  q1 = unit(q1)
```

Loads and joints see the quaternions of stages as those of `rk4` do.

Loads that are constant by pieces enter all stages by their mean over the step, functions of time at each
stage's instant. A jump inside a step costs the order (it is then 1), a jump on a step does not
(tests/cpu/jumps.rs). Stages at the start of a step see the value after the jump, stages at the end the value
before it. In f32 its error is rounding at any useful step: `rk4` is then as good.

The estimate is that of the book: `err5² / sqrt(err5² + 0.01 err3²)` of the differences to solutions of order
5 and 3.
",
    };

    fn new(options: &Options) -> Self {
        Self { tolerance: own_steps::tolerance(options) }
    }

    fn samples(&self) -> Vec<Sample> {
        C.iter().map(|c| Sample::new(0.0, 1.0, *c)).collect()
    }

    fn step<R: Real>(&self, system: &System<R>, state: &State<R>) -> State<R> {
        State { motions: runge_kutta(system, &state.motions, &A, &B), carried: Vec::new() }
    }

    fn own_steps(&self) -> Option<OwnSteps> {
        Some(OwnSteps { tolerance: self.tolerance?, exponents: ErrorPowers::OfOrder8 })
    }

    fn estimated<R: Real>(
        &self,
        system: &System<R>,
        start: &[Motion<R>],
        size: &ErrorSize<'_, R>,
    ) -> (Vec<Motion<R>>, R) {
        let mut e3 = B;
        OF_ORDER_3.iter().for_each(|(stage, weight)| e3[*stage] -= weight);
        let (end, [error5, error3]) = embedded(system, start, &A, &B, [&E5, &e3]);
        let (five, three) = (size(&end, &error5), size(&end, &error3));
        let zero = five.lift(0.0);
        let sum = five.lift(0.01).mul_add(three, five);
        // Nothing moves: there is no error, and nothing to divide by. NaN goes through.
        let square = five * five / sum;
        (end, sum.select_less(five.lift(own_steps::NOTHING), zero, square))
    }
}
