//! A batch of instances taken from the first step to the last, seen at every snapshot.
//!
//! The batch is cut into pieces that fit the cache. At a snapshot each piece computes its channels,
//! and its thread adds them to statistics of its own while they are in the cache; these are merged
//! once all pieces are done, which is exact. Where a backend can, the thread takes the piece up to
//! the snapshot itself, just before: its states are in the cache too, and threads wait for each
//! other once.
//!
//! A backend that holds its states elsewhere adds up snapshots there, with the same bits: all but
//! the first, from which drifts are measured, and the last. Then only the states of the pieces that
//! are shown come back. Several such looks are under way at a time, so that the backend goes on to
//! the next snapshots while the host takes in what the last one shows.

use std::ops::{ControlFlow, Range};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::backend::cpu::lanes::Rows;
use crate::backend::cpu::tape::GROUP;
use crate::backend::tally::{Begun, ColumnArithmetic, Observation, Tally, TallyRule};
use crate::backend::{Backend, BackendError, Batch, BatchSection, End, Plan, StateReader};
use crate::observe::channels::{Baselines, Observer, Planes};
use crate::observe::{CellStatistics, Statistics, Verdict};

/// Longest time between two checks for an interrupt: an interrupted run ends within 0.2 s, the rest
/// of which goes into writing the result. A GPU takes some 0.1 ms to begin
/// and end a stride.
const LOOK: Duration = Duration::from_millis(80);

/// Losses of a device that a batch survives; a device that is lost more often will not finish it.
const MOST_LOSSES: u32 = 3;

/// Instances a piece: its states and channels stay in the second-level cache.
const PIECE: usize = 512;

/// Pieces for each thread from which on each is advanced by the thread that looks at it: of fewer,
/// the last one would be waited for.
const ENOUGH: usize = 8;

/// Some neighbouring instances of a batch and what is observed of them now.
pub struct Piece {
    first: usize,
    baselines: Baselines,
    states: Vec<Vec<f64>>,
    ends: Vec<End>,
    /// `[column][instance]`; NaN for an instance that has stopped.
    pub values: Vec<Vec<f64>>,
}

impl Piece {
    /// Without room for what is observed.
    fn lean(first: usize, instances: usize) -> Piece {
        Piece {
            first,
            baselines: Baselines::new(instances),
            states: Vec::new(),
            ends: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Gives it room for what is observed, unless it has.
    fn make_room(&mut self, planes: usize, width: usize) {
        let n = self.instances();
        if self.ends.len() != n {
            self.states = vec![vec![0.0; n]; planes];
            self.ends = vec![End { verdict: Verdict::Finished, step: 0 }; n];
            self.values = vec![vec![f64::NAN; n]; width];
        }
    }

    /// Swaps its room with that of another piece.
    fn swap_room(&mut self, other: &mut Piece) {
        std::mem::swap(&mut self.states, &mut other.states);
        std::mem::swap(&mut self.ends, &mut other.ends);
        std::mem::swap(&mut self.values, &mut other.values);
    }

    /// Number of its instances.
    pub fn instances(&self) -> usize {
        self.baselines.instances()
    }

    /// The state of its instances now, or the last sound one of those that have stopped:
    /// `[channel][instance]`.
    pub fn states(&self) -> &[Vec<f64>] {
        &self.states
    }

    /// The ends of its instances so far.
    pub fn ends(&self) -> &[End] {
        &self.ends
    }

    /// Whether the piece's i-th instance is under way.
    pub fn runs(&self, i: usize) -> bool {
        self.ends[i].verdict == Verdict::Finished
    }

    /// Reads the states, and computes the columns in `rows`.
    fn look(&mut self, view: &View<'_>, reader: &dyn StateReader, which: Which, rows: &mut Rows<f64>) {
        let View { observer, batch, step, at_start, is_last, .. } = *view;
        let Piece { first, states, ends, baselines, values } = self;
        let planes = match which {
            Which::First(planes) => planes,
            Which::Needed if !at_start && reader.are_under_way(*first, ends.len()) => {
                observer.observe_read(rows, reader, batch, *first, step, baselines, values);
                return;
            }
            Which::Needed => states.len(),
        };
        reader.ends(*first, ends);
        let stopped = ends.iter().any(|end| end.verdict != Verdict::Finished);
        reader.read(*first, &mut states[..planes]);
        // A start that is beyond the precision is shown as it was drawn: there is no sound state
        // after it.
        if at_start || stopped {
            for (i, end) in ends.iter().enumerate() {
                let lost = at_start || end.verdict == Verdict::NonFinite;
                if lost && states.iter().any(|plane| !plane[i].is_finite()) {
                    for (plane, drawn) in states.iter_mut().zip(&batch.states) {
                        plane[i] = drawn[*first + i];
                    }
                }
            }
        }
        let planes = Planes { states, parameters: &batch.parameters, first: *first };
        if at_start {
            observer.start(&planes, baselines);
        }
        observer.observe_in(rows, &planes, step, baselines, values);
        if stopped {
            for (i, end) in ends.iter().enumerate().filter(|(_, end)| end.verdict != Verdict::Finished) {
                let has_outcomes = is_last && end.verdict.is_condition();
                for (values, column) in values.iter_mut().zip(&observer.program().columns) {
                    if !(has_outcomes && column.outlasts) {
                        values[i] = f64::NAN;
                    }
                }
            }
        }
    }

    /// Columns of another observer of the piece's i-th instance now; NaN if it has stopped.
    pub fn observe(&self, observer: &Observer<'_>, batch: &Batch, i: usize, row: &mut [f64]) {
        if self.ends[i].verdict == Verdict::Finished {
            let planes = Planes { states: &self.states, parameters: &batch.parameters, first: self.first };
            // An instance under way is as far as the piece is.
            observer.observe(&mut observer.rows(), &planes, i, self.ends[i].step, &self.baselines, row);
        } else {
            row.fill(f64::NAN);
        }
    }
}

/// Everything that a look at pieces needs: observer, batch, step, and planes of the state.
#[derive(Clone, Copy)]
struct View<'a> {
    observer: &'a Observer<'a>,
    batch: &'a Batch,
    step: u64,
    at_start: bool,
    /// It is the last snapshot.
    is_last: bool,
    /// The first so many pieces keep what is observed.
    shown: usize,
    /// Planes of the state: those up to the last that moves, and all. Position and velocity of mass
    /// centres that all rest need reading only once.
    moving: usize,
    planes: usize,
}

impl View<'_> {
    /// Computes the columns of the piece of this number, and adds them to the cells of `tally`.
    fn add(
        &self,
        (number, piece): (usize, &mut Piece),
        reader: &dyn StateReader,
        tally: &mut [CellStatistics],
        room: &mut Piece,
        rows: &mut Rows<f64>,
    ) {
        // A piece that is not full does not fit the room.
        let lean = number >= self.shown && piece.instances() == PIECE;
        if lean {
            piece.swap_room(room);
        }
        let fresh = piece.ends.is_empty();
        piece.make_room(self.planes, self.observer.width());
        let which = match lean {
            true => Which::Needed,
            false if self.at_start || fresh => Which::First(self.planes),
            false => Which::First(self.moving),
        };
        piece.look(self, reader, which, rows);
        tally.iter_mut().zip(&piece.values).for_each(|(cell, values)| cell.add(values));
        if lean {
            piece.swap_room(room);
        }
    }
}

/// Where the instances of a piece are to be had.
enum Source<'a> {
    /// Where they are now.
    Reader(&'a dyn StateReader),
    /// Before the last interval, which is theirs to take.
    Section(Box<dyn BatchSection + 'a>),
}

/// Which planes of the state a look reads into the room of its piece.
#[derive(Clone, Copy)]
enum Which {
    /// So many, from the first on: the others are as they were.
    First(usize),
    /// None where the observer can do without: nobody looks at this room afterwards, which has held
    /// other pieces before.
    Needed,
}

/// The room in which a thread works on pieces.
struct Workplace {
    /// Statistics of a snapshot, by column.
    tally: Vec<CellStatistics>,
    /// Room for pieces that have none.
    room: Piece,
    rows: Vec<[f64; GROUP]>,
    /// The time that it took at this snapshot; `None`: there was nothing left to do.
    spent: Option<Spent>,
}

impl Workplace {
    /// Takes pieces until none is left, and adds them to cells of its own, begun as `cells`.
    fn work<'a>(&mut self, view: &View<'_>, cells: &[CellStatistics], next: impl Fn() -> Option<Task<'a>>) {
        let Workplace { tally, room, rows, spent } = self;
        // There is none between two snapshots.
        let tally = &mut tally[..cells.len()];
        *spent = None;
        while let Some(task) = next() {
            if spent.is_none() {
                tally.iter_mut().zip(cells).for_each(|(mine, cell)| mine.restart(cell));
            }
            let spent = spent.get_or_insert_default();
            task.done(view, tally, (room, rows), spent);
        }
    }
}

/// A piece to be looked at.
struct Task<'a> {
    number: usize,
    piece: &'a mut Piece,
    source: Source<'a>,
}

impl Task<'_> {
    fn done(
        self,
        view: &View<'_>,
        tally: &mut [CellStatistics],
        (room, rows): (&mut Piece, &mut Rows<f64>),
        spent: &mut Spent,
    ) {
        let Task { number, piece, source } = self;
        let begun = Instant::now();
        let mut advanced = begun;
        match source {
            Source::Reader(reader) => view.add((number, piece), reader, tally, room, rows),
            Source::Section(mut section) => {
                section.advance();
                advanced = Instant::now();
                view.add((number, piece), &*section, tally, room, rows);
            }
        }
        spent.stepping += advanced - begun;
        spent.observing += advanced.elapsed();
    }
}

/// The point that a stride towards a snapshot has reached.
enum Stage {
    /// A step before the snapshot, or at it.
    Reached(u64),
    /// The snapshot, by pieces that have been seen there; how long that took, beside the steps.
    Seen(Duration),
    /// The snapshot, its states copied back.
    Fetched,
    /// The snapshot, where the backend was already, added up by it; the states of the pieces that
    /// are shown were copied back.
    Tallied(Tally),
    /// Likewise, with the steps to it.
    Came(Tally),
    /// A step beyond the snapshot, which is left to the host.
    Passed,
}

/// Where wall-clock time went.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spent {
    pub stepping: Duration,
    pub observing: Duration,
}

/// By what rules a backend adds up the columns of these cells.
fn rules(cells: &[CellStatistics]) -> Vec<TallyRule> {
    cells.iter().map(CellStatistics::rule).collect()
}

/// A batch under way.
pub struct BatchRun<'a> {
    plan: &'a Plan,
    observer: Observer<'a>,
    batch: &'a Batch,
    pieces: Vec<Piece>,
    /// Steps advanced at once: as many as fit well in [`LOOK`].
    stride: u64,
    /// The last step that all have reached, or stopped before.
    reached: u64,
    /// Pieces that keep what is observed from one snapshot to the next, where statistics take it
    /// in.
    kept: usize,
    workplaces: Vec<Workplace>,
    pub spent: Spent,
    /// The number of times that the device was lost.
    pub losses: u32,
    /// Snapshots that the backend added up.
    pub tallied: usize,
    /// Looks that are under way: the first is the next snapshot's.
    begun: usize,
}

/// A snapshot, or the step at which a march ends.
struct Look {
    reached: u64,
    /// It is the first snapshot.
    begins: bool,
    /// The march ends there.
    ends: bool,
    /// Its instances have been seen on the way.
    is_done: bool,
    /// Pieces whose instances are kept, and that are seen.
    kept: usize,
    shown: usize,
}

impl<'a> BatchRun<'a> {
    /// `observer`: what is seen at every snapshot.
    pub fn new(plan: &'a Plan, observer: Observer<'a>, batch: &'a Batch) -> BatchRun<'a> {
        let piece = |first: usize| Piece::lean(first, PIECE.min(batch.count - first));
        let pieces = (0..batch.count).step_by(PIECE).map(piece).collect();
        BatchRun {
            plan,
            observer,
            batch,
            pieces,
            stride: plan.schedule.check,
            reached: 0,
            kept: usize::MAX,
            workplaces: Vec::new(),
            spent: Spent::default(),
            losses: 0,
            tallied: 0,
            begun: 0,
        }
    }

    /// By what plan it is advanced.
    pub fn plan(&self) -> &'a Plan {
        self.plan
    }

    /// Looks only at the first so many instances between the first snapshot and the last, in a run
    /// with statistics: the others need no memory of their own, and pass through the caches alone.
    pub fn keeping(mut self, instances: usize) -> BatchRun<'a> {
        self.kept = instances.div_ceil(PIECE);
        self
    }

    /// Takes the batch through all snapshots. `statistics` take in the columns of every one, and
    /// `record` gets its number and the pieces, or those that are [kept](Self::keeping).
    /// `under_way` is told the step reached, several times a second; breaking there ends the march,
    /// between two snapshots if need be. Returns the last step reached.
    pub fn run(
        &mut self,
        backend: &mut dyn Backend,
        mut statistics: Option<&mut Statistics>,
        mut record: impl FnMut(usize, &[Piece]),
        mut under_way: impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<u64, BackendError> {
        let started = Instant::now();
        backend.load(self.batch)?;
        self.spent.stepping += started.elapsed();
        let mut reached = 0;
        let snapshots = self.plan.schedule.snapshots();
        let kept = if statistics.is_some() { self.kept.min(self.pieces.len()) } else { self.pieces.len() };
        // Those that a backend may add up: the first tells where drifts begin, and at the last all
        // are seen, so that their ends can be told.
        let inner = match statistics.is_some() && 2 * kept <= self.pieces.len() {
            true => 1..snapshots.len().saturating_sub(1),
            false => 0..0,
        };
        let mut flow = ControlFlow::Continue(());
        for (number, &step) in snapshots.iter().enumerate() {
            let started = Instant::now();
            let mut tally = None;
            let mut seen_already = false;
            let mut collecting = Duration::ZERO;
            let is_last = number + 1 == snapshots.len();
            let shown = if is_last { self.pieces.len() } else { kept };
            loop {
                let looks = match statistics.as_deref_mut() {
                    Some(all) if flow.is_continue() && inner.contains(&number) => {
                        let ahead = number..inner.end;
                        self.begin_looks(backend, reached, &snapshots, (ahead, kept), all)
                    }
                    _ => Ok(()),
                };
                let cells = statistics.as_deref_mut().map_or(&mut [][..], |all| all.cells_of_mut(number));
                let rules = (inner.contains(&number) && !cells.is_empty()).then(|| rules(cells));
                let begun = Instant::now();
                let to = (step, kept, shown);
                match looks.and_then(|()| self.towards(backend, reached, to, rules.as_deref(), cells)) {
                    Ok(Stage::Reached(to)) => {
                        reached = to;
                        flow = under_way(reached);
                        if flow.is_break() {
                            break;
                        }
                    }
                    Ok(Stage::Seen(observing)) => {
                        reached = step;
                        collecting = observing;
                        seen_already = true;
                        flow = under_way(reached);
                        break;
                    }
                    Ok(Stage::Tallied(found)) => {
                        collecting = begun.elapsed();
                        tally = Some(found);
                        break;
                    }
                    Ok(Stage::Came(found)) => {
                        reached = step;
                        tally = Some(found);
                        if flow.is_continue() {
                            flow = under_way(reached);
                        }
                        break;
                    }
                    Ok(Stage::Fetched) => {
                        collecting = begun.elapsed();
                        break;
                    }
                    Ok(Stage::Passed) => {
                        // The backend is beyond the snapshot.
                        self.begun = 0;
                        backend.load(self.batch)?;
                        reached = 0;
                    }
                    Err(BackendError::Lost(reason)) if self.losses < MOST_LOSSES => {
                        // The batch is taken to the same step again on a fresh device, with the
                        // same bits: what was seen on the way is not seen twice.
                        self.losses += 1;
                        self.begun = 0;
                        backend.reopen().map_err(|_| BackendError::Lost(reason))?;
                        backend.load(self.batch)?;
                        reached = 0;
                    }
                    Err(other) => return Err(other),
                }
            }
            // Looks that are under way are ended first: the backend is at the step of the last one.
            let is_end = flow.is_break() && self.begun == 0;
            if is_end && step > 0 {
                backend.fetch()?;
            }
            let advanced = Instant::now();
            // No value is added twice, and a moment between two snapshots has no cells.
            let cells = match statistics.as_deref_mut() {
                Some(all) if reached == step && !seen_already => all.cells_of_mut(number),
                _ => &mut [],
            };
            let look =
                Look { reached, begins: number == 0, ends: is_end, is_done: seen_already, kept, shown };
            self.take_in(&*backend, look, tally, cells);
            if reached == step {
                record(number, &self.pieces[..kept]);
            }
            self.spent.stepping += (advanced - started).saturating_sub(collecting);
            self.spent.observing += advanced.elapsed() + collecting;
            if is_end {
                break;
            }
        }
        self.reached = reached;
        Ok(reached)
    }

    /// Adds what the backend has added up to these cells, or the values of the instances.
    fn take_in(
        &mut self,
        backend: &dyn Backend,
        look: Look,
        tally: Option<Tally>,
        cells: &mut [CellStatistics],
    ) {
        let Look { reached, begins, ends, is_done, kept, shown } = look;
        let all = self.pieces.len();
        match tally {
            Some(tally) => {
                self.tallied += 1;
                let add = |(column, cell): (usize, &mut CellStatistics)| cell.add_tally(&tally, column);
                cells.par_iter_mut().enumerate().for_each(add);
                match ends {
                    true => self.observe(backend, reached, begins, &mut [], all, all),
                    false => self.observe(backend, reached, false, &mut [], kept, kept),
                }
            }
            None if ends => self.observe(backend, reached, begins, cells, all, all),
            None if !is_done => self.observe(backend, reached, begins, cells, shown, all),
            None => {}
        }
    }

    /// Number of instances.
    pub fn instances(&self) -> usize {
        self.batch.count
    }

    /// A stride towards the snapshot at step `end`, or, there already, what is to be seen of it:
    /// added up by the backend where there are `rules` and it can, but for the first `kept` pieces;
    /// else all states. A stride that comes to the snapshot adds what is seen there to `cells`
    /// where the backend leaves its instances to the threads that look; the first `shown` pieces
    /// keep it.
    fn towards(
        &mut self,
        backend: &mut dyn Backend,
        reached: u64,
        (end, kept, shown): (u64, usize, usize),
        rules: Option<&[TallyRule]>,
        cells: &mut [CellStatistics],
    ) -> Result<Stage, BackendError> {
        if self.begun > 0 {
            self.begun -= 1;
            let found = backend.end_look()?;
            return Ok(found.map_or(Stage::Passed, Stage::Came));
        }
        if reached < end {
            return self.stride(backend, reached, end, shown, cells);
        }
        if let Some(rules) = rules
            && self.begin_look(backend, end, end, kept, rules)? == Begun::Yes
            && let Some(tally) = backend.end_look()?
        {
            return Ok(Stage::Tallied(tally));
        }
        if end > 0 {
            backend.fetch()?;
        }
        Ok(Stage::Fetched)
    }

    /// Begins with looks at these snapshots, the first so many of which are under way, until the
    /// backend takes no more. It has reached this step where none is.
    fn begin_looks(
        &mut self,
        backend: &mut dyn Backend,
        reached: u64,
        snapshots: &[u64],
        (numbers, kept): (Range<usize>, usize),
        statistics: &mut Statistics,
    ) -> Result<(), BackendError> {
        for number in numbers.skip(self.begun) {
            let cells = statistics.cells_of_mut(number);
            let first = if self.begun > 0 { snapshots[number - 1] } else { reached };
            if cells.is_empty()
                || first >= snapshots[number]
                || self.begin_look(backend, first, snapshots[number], kept, &rules(cells))? != Begun::Yes
            {
                break;
            }
            self.begun += 1;
        }
        Ok(())
    }

    /// Begins with the steps from `first` to `end` and a look at all instances there.
    fn begin_look(
        &self,
        backend: &mut dyn Backend,
        first: u64,
        end: u64,
        kept: usize,
        rules: &[TallyRule],
    ) -> Result<Begun, BackendError> {
        let program = self.observer.program();
        let what = Observation {
            arithmetic: ColumnArithmetic {
                graph: &program.graph,
                columns: &program.columns,
                input: &|leaf| program.input(leaf),
            },
            parameters: &self.batch.parameters,
            start: &|number| {
                let of_piece = |piece: &Piece| piece.baselines.number(number).to_vec();
                self.pieces.iter().flat_map(of_piece).collect()
            },
            factors: &self.plan.schedule.factors_around(end),
            rules,
            shown: kept * PIECE,
        };
        backend.begin_look(first, end, &what)
    }

    /// One stride from `first` towards `end`. It ends at a check of the verdicts, where the
    /// backends look up anyway: the results do not depend on the length of strides, which follows
    /// the clock.
    fn stride(
        &mut self,
        backend: &mut dyn Backend,
        first: u64,
        end: u64,
        shown: usize,
        cells: &mut [CellStatistics],
    ) -> Result<Stage, BackendError> {
        let check = self.plan.schedule.check;
        let to = (first.saturating_add(self.stride) / check * check).max(first + 1).min(end);
        let started = Instant::now();
        let enough = self.pieces.len() >= ENOUGH * rayon::current_num_threads();
        let sections = if to == end && enough { backend.sections(first, end, PIECE) } else { None };
        let observed = sections
            .map(|sections| self.look(sections.into_iter().map(Source::Section), (end, false), cells, shown));
        let stage = match observed {
            Some(Spent { stepping, observing }) => {
                // The wall's time in the proportion of that of all threads.
                let share = observing.as_secs_f64() / (stepping + observing).as_secs_f64().max(1e-9);
                Stage::Seen(started.elapsed().mul_f64(share))
            }
            None => {
                backend.advance(first, to)?;
                Stage::Reached(to)
            }
        };
        let taken = started.elapsed();
        if taken < LOOK / 4 {
            self.stride = self.stride.max(2 * (to - first));
        } else if taken > LOOK {
            self.stride = ((to - first) / 2).max(check);
        }
        Ok(stage)
    }

    /// Computes the columns of the instances of the first `within` pieces now, and adds them to the
    /// cells of this snapshot, if there are such. The first `shown` pieces keep what is observed.
    fn observe(
        &mut self,
        reader: &dyn StateReader,
        step: u64,
        at_start: bool,
        cells: &mut [CellStatistics],
        shown: usize,
        within: usize,
    ) {
        let sources = (0..within).map(|_| Source::Reader(reader));
        self.look(sources, (step, at_start), cells, shown);
    }

    /// As [`observe`](Self::observe), of as many pieces as there are sources, after the steps that
    /// are left to those; the time that all threads took.
    fn look<'s>(
        &mut self,
        sources: impl ExactSizeIterator<Item = Source<'s>>,
        (step, at_start): (u64, bool),
        cells: &mut [CellStatistics],
        shown: usize,
    ) -> Spent {
        let BatchRun { plan, observer, batch, pieces, workplaces, .. } = self;
        let moving = plan.moving.iter().rposition(|moves| *moves).map_or(0, |last| last + 1);
        let planes = plan.moving.len();
        let is_last = step == plan.schedule.steps;
        let view = View { observer, batch, step, at_start, is_last, shown, moving, planes };
        let threads = rayon::current_num_threads().min(sources.len()).max(1);
        while workplaces.len() < threads {
            let mut room = Piece::lean(0, PIECE);
            room.make_room(planes, observer.width());
            workplaces.push(Workplace { tally: cells.to_vec(), room, rows: observer.rows(), spent: None });
        }
        let each = sources.len().div_ceil(threads);
        let task = |(number, (piece, source))| Task { number, piece, source };
        let mut tasks = pieces.iter_mut().zip(sources).enumerate().map(task);
        let mut spent = Spent::default();
        if threads == 1 {
            let Workplace { room, rows, .. } = &mut workplaces[0];
            tasks.for_each(|task| task.done(&view, cells, (room, rows), &mut spent));
            return spent;
        }
        // Each thread has pieces of its own, the same at every snapshot, and helps others when it
        // is done.
        let queue = |_| Mutex::new(tasks.by_ref().take(each).collect::<Vec<_>>().into_iter());
        let queues: Vec<_> = (0..threads).map(queue).collect();
        let next = |own: usize| {
            let queue = |k: usize| &queues[(own + k) % threads];
            (0..threads).find_map(|k| queue(k).lock().unwrap_or_else(PoisonError::into_inner).next())
        };
        let places = workplaces[..threads].par_iter_mut().with_max_len(1).enumerate();
        places.for_each(|(number, place)| {
            let own = rayon::current_thread_index().unwrap_or(number);
            place.work(&view, cells, || next(own));
        });
        let used: Vec<&Workplace> =
            workplaces[..threads].iter().filter(|place| place.spent.is_some()).collect();
        cells.par_iter_mut().enumerate().for_each(|(column, cell)| {
            used.iter().for_each(|place| cell.merge(&place.tally[column]));
        });
        for taken in used.iter().filter_map(|place| place.spent) {
            spent.stepping += taken.stepping;
            spent.observing += taken.observing;
        }
        spent
    }

    /// Steps that the instances have taken: each to its end, or to where the march is.
    pub fn instance_steps(&self) -> u64 {
        let taken = |end: &End| if end.verdict == Verdict::Finished { self.reached } else { end.step };
        self.pieces.iter().flat_map(|piece| &piece.ends).map(taken).sum()
    }

    /// The batch as it was seen last.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Columns of another observer from the last state of every instance (the last sound one of
    /// those that stopped), `[column][instance]`, and how each ended: as interrupted, where the
    /// user stopped the batch.
    pub fn finish(&mut self, last: &Observer<'_>) -> (Vec<Vec<f64>>, Vec<End>) {
        let started = Instant::now();
        let cut = self.reached < self.plan.schedule.steps;
        let mut columns = vec![vec![f64::NAN; self.batch.count]; last.width()];
        let mut of_pieces: Vec<Vec<&mut [f64]>> = Vec::new();
        of_pieces.resize_with(self.pieces.len(), || Vec::with_capacity(last.width()));
        for column in &mut columns {
            of_pieces.iter_mut().zip(column.chunks_mut(PIECE)).for_each(|(columns, part)| columns.push(part));
        }
        let of_piece = |(piece, mut columns): (&Piece, Vec<&mut [f64]>)| {
            let planes =
                Planes { states: &piece.states, parameters: &self.batch.parameters, first: piece.first };
            let mut rows = last.rows();
            last.observe_in(&mut rows, &planes, self.reached, &piece.baselines, &mut columns);
            let mut row = vec![f64::NAN; last.width()];
            for (i, end) in piece.ends.iter().enumerate().filter(|(i, _)| !piece.runs(*i)) {
                // The state of one that failed is that of the step before.
                let step = end.step.saturating_sub(u64::from(!end.verdict.is_condition()));
                match end.verdict {
                    Verdict::InvalidSample => row.fill(f64::NAN),
                    _ => last.observe(&mut rows, &planes, i, step, &piece.baselines, &mut row),
                }
                columns.iter_mut().zip(&row).for_each(|(column, x)| column[i] = *x);
            }
        };
        self.pieces.par_iter().zip(of_pieces).for_each(of_piece);
        let ends = self.pieces.iter().flat_map(|piece| &piece.ends).map(|end| {
            let interrupted = cut && end.verdict == Verdict::Finished;
            if interrupted { End { verdict: Verdict::Interrupted, ..*end } } else { *end }
        });
        let ends = ends.collect();
        self.spent.observing += started.elapsed();
        (columns, ends)
    }
}
