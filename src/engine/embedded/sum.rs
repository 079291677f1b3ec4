//! `sum()` as CPython 3.12 and later compute it.
//!
//! The study was run under 3.13, where a sum that meets floats goes on in compensated arithmetic
//! (Neumaier's variant of Kahan's method) as long as the items are floats or small integers; the
//! correction is added at the end if it is finite. Source: CPython 3.13, `builtin_sum_impl`.

use rustpython_vm::builtins::{PyByteArray, PyBytes, PyFloat, PyInt, PyStr};
use rustpython_vm::function::{ArgIterable, OptionalArg};
use rustpython_vm::{AsObject, FromArgs, PyObjectRef, PyResult, VirtualMachine};

#[derive(FromArgs)]
pub(super) struct SumArguments {
    #[pyarg(positional)]
    iterable: ArgIterable,
    #[pyarg(any, optional)]
    start: OptionalArg<PyObjectRef>,
}

/// How far the items seen so far allow fast arithmetic; it never goes back to an earlier phase.
enum Phase {
    Integers(i64),
    Floats(Compensated),
    Objects(PyObjectRef),
}

/// The replacement of `builtins.sum`.
pub(super) fn compensated_sum(arguments: SumArguments, vm: &VirtualMachine) -> PyResult {
    let start = arguments.start.into_option().unwrap_or_else(|| vm.ctx.new_int(0).into());
    refuse_text(&start, vm)?;
    let mut phase = match (small_integer(&start), exact_float(&start, vm)) {
        (Some(integer), _) if start.class().is(vm.ctx.types.int_type) => Phase::Integers(integer),
        (_, Some(float)) => Phase::Floats(Compensated::new(float)),
        _ => Phase::Objects(start),
    };
    for item in arguments.iterable.iter(vm)? {
        phase = phase.add(&item?, vm)?;
    }
    Ok(phase.into_object(vm))
}

fn refuse_text(start: &PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
    let (kind, remedy) = if start.downcast_ref::<PyStr>().is_some() {
        ("strings", "''.join(seq)")
    } else if start.downcast_ref::<PyBytes>().is_some() {
        ("bytes", "b''.join(seq)")
    } else if start.downcast_ref::<PyByteArray>().is_some() {
        ("bytearray", "b''.join(seq)")
    } else {
        return Ok(());
    };
    Err(vm.new_type_error(format!("sum() can't sum {kind} [use {remedy} instead]")))
}

impl Phase {
    fn add(self, item: &PyObjectRef, vm: &VirtualMachine) -> PyResult<Self> {
        match self {
            Self::Integers(total) => {
                let plain = item.class().is(vm.ctx.types.int_type) || item.class().is(vm.ctx.types.bool_type);
                let next = small_integer(item).filter(|_| plain).and_then(|value| total.checked_add(value));
                if let Some(next) = next {
                    return Ok(Self::Integers(next));
                }
                let sum = vm._add(vm.ctx.new_int(total).as_object(), item)?;
                Ok(match exact_float(&sum, vm) {
                    Some(float) => Self::Floats(Compensated::new(float)),
                    None => Self::Objects(sum),
                })
            }
            Self::Floats(mut running) => {
                if let Some(value) = exact_float(item, vm) {
                    running.add(value);
                    return Ok(Self::Floats(running));
                }
                if let Some(value) = small_integer(item) {
                    running.total += value as f64;
                    return Ok(Self::Floats(running));
                }
                Ok(Self::Objects(vm._add(vm.ctx.new_float(running.finish()).as_object(), item)?))
            }
            Self::Objects(total) => Ok(Self::Objects(vm._add(&total, item)?)),
        }
    }

    fn into_object(self, vm: &VirtualMachine) -> PyObjectRef {
        match self {
            Self::Integers(total) => vm.ctx.new_int(total).into(),
            Self::Floats(running) => vm.ctx.new_float(running.finish()).into(),
            Self::Objects(total) => total,
        }
    }
}

fn exact_float(object: &PyObjectRef, vm: &VirtualMachine) -> Option<f64> {
    let exact = object.class().is(vm.ctx.types.float_type);
    object.downcast_ref::<PyFloat>().filter(|_| exact).map(|float| float.to_f64())
}

/// An integer of any kind that fits a C long.
fn small_integer(object: &PyObjectRef) -> Option<i64> {
    i64::try_from(object.downcast_ref::<PyInt>()?.as_bigint()).ok()
}

#[derive(Debug, Clone, Copy)]
struct Compensated {
    total: f64,
    lost: f64,
}

impl Compensated {
    fn new(total: f64) -> Self {
        Self { total, lost: 0.0 }
    }

    fn add(&mut self, value: f64) {
        let next = self.total + value;
        self.lost +=
            if self.total.abs() >= value.abs() { (self.total - next) + value } else { (value - next) + self.total };
        self.total = next;
    }

    fn finish(self) -> f64 {
        if self.lost != 0.0 && self.lost.is_finite() { self.total + self.lost } else { self.total }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_running_sum_agrees_with_the_one_for_tables() {
        let values = [1.0, 1e100, 1.0, -1e100, 0.1, f64::MIN_POSITIVE];
        let mut running = Compensated::new(0.0);
        values.iter().for_each(|&value| running.add(value));
        assert_eq!(running.finish(), crate::number::sum(values));
        let mut infinite = Compensated::new(0.0);
        [f64::INFINITY, 1.0].iter().for_each(|&value| infinite.add(value));
        assert_eq!(infinite.finish(), f64::INFINITY);
    }
}
