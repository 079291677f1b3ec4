//! A warmed interpreter and the execution of one program in it.

use rustpython_vm::builtins::{PyBaseExceptionRef, PyDict, PyStr};
use rustpython_vm::compiler::Mode;
use rustpython_vm::function::{FuncArgs, KwArgs};
use rustpython_vm::scope::Scope;
use rustpython_vm::{AsObject, Interpreter, PyObjectRef, PyResult, Settings, VirtualMachine};

use super::plain::{Encoded, encode_entries};
use super::sum::compensated_sum;
use crate::engine::frame::{Request, tag};
use crate::engine::program::write_text;
use crate::json::{Object, Reader, Value};

/// Pure modules that need the stand-in to load. They load in the child of a program that names them.
const STOOD_IN: [&str; 9] =
    ["random", "statistics", "contextlib", "traceback", "dataclasses", "inspect", "timeit", "secrets", "uuid"];
/// Modules that programs use most; loaded once, before the first fork.
const WARM: [&str; 2] = ["math", "json"];
const LONGEST_MESSAGE: usize = 2000;

/// The embedded interpreter, ready to be forked.
pub(in crate::engine) struct Embedded {
    interpreter: Interpreter,
    silent: PyObjectRef,
    load: PyObjectRef,
}

impl Embedded {
    /// Name and version of the interpreter.
    pub(in crate::engine) const VERSION: &str = "RustPython 0.5.0";

    /// Starts an interpreter with this hash seed and loads what programs need most.
    pub(in crate::engine) fn warm(seed: u32) -> Result<Self, String> {
        let builder = Interpreter::builder(settings(seed));
        let modules = rustpython_stdlib::stdlib_module_defs(&builder.ctx);
        let interpreter =
            builder.add_native_modules(&modules).add_frozen_modules(rustpython_pylib::FROZEN_STDLIB).build();
        let prepared = interpreter.enter(|vm| prepare(vm).map_err(|error| describe(&error, vm).1));
        let (silent, load) = prepared?;
        Ok(Self { interpreter, silent, load })
    }

    /// Runs a program to its frame: tag and payload. Called in a fresh child, once.
    pub(in crate::engine) fn run(&self, request: &Request) -> (u8, Vec<u8>) {
        self.interpreter.enter(|vm| match self.solve(request, vm) {
            Ok(frame) => frame,
            Err(error) => raised(&error, vm),
        })
    }

    fn solve(&self, request: &Request, vm: &VirtualMachine) -> PyResult<(u8, Vec<u8>)> {
        self.stand_in(&request.source, vm)?;
        let namespace = vm.ctx.new_dict();
        namespace.set_item("print", self.silent.clone(), vm)?;
        let scope = Scope::with_builtins(None, namespace.clone(), vm);
        let code = vm
            .compile(&request.source, Mode::Exec, "<string>".to_owned())
            .map_err(|error| vm.new_syntax_error(&error, Some(&request.source)))?;
        vm.run_code_obj(code, scope)?;
        let Some(solve) = namespace.get_item_opt("solve", vm)?.filter(|solve| solve.is_callable()) else {
            return Ok((tag::NO_SOLVE, Vec::new()));
        };
        let returned = solve.call(arguments(&request.arguments, vm), vm)?;
        let Some(entries) = returned.downcast_ref::<PyDict>() else {
            return Ok((tag::NOT_A_DICT, returned.class().name().as_bytes().to_vec()));
        };
        Ok(match encode_entries(entries, request.frame_bytes as usize, vm)? {
            Encoded::Text(text) => (tag::RETURNED, text.into_bytes()),
            Encoded::TooLarge => (tag::TOO_LARGE, Vec::new()),
        })
    }

    fn stand_in(&self, source: &str, vm: &VirtualMachine) -> PyResult<()> {
        let named: Vec<PyObjectRef> =
            STOOD_IN.into_iter().filter(|name| source.contains(name)).map(|name| vm.ctx.new_str(name).into()).collect();
        if !named.is_empty() {
            self.load.call((vm.ctx.new_list(named),), vm)?;
        }
        Ok(())
    }
}

fn settings(seed: u32) -> Settings {
    let mut settings = Settings::default();
    settings.hash_seed = Some(seed);
    settings.install_signal_handlers = false;
    settings.isolated = true;
    settings.import_site = false;
    settings.user_site_directory = false;
    settings.ignore_environment = true;
    settings.write_bytecode = false;
    settings.safe_path = true;
    settings
}

/// Loads modules and gives back the silent `print` and the loader of stood-in modules.
fn prepare(vm: &VirtualMachine) -> PyResult<(PyObjectRef, PyObjectRef)> {
    let sum = vm.new_function("sum", compensated_sum);
    vm.builtins.set_attr("sum", sum, vm)?;
    for name in WARM {
        vm.import(name, 0)?;
    }
    let define = |source: &str, name: &str| {
        let namespace = vm.ctx.new_dict();
        let scope = Scope::with_builtins(None, namespace.clone(), vm);
        vm.run_string(scope, source, "<worker>".to_owned())?;
        namespace.get_item(name, vm)
    };
    let silent = define("def print(*args, **kwargs):\n    return None\n", "print")?;
    Ok((silent, define(include_str!("stand_in.py"), "load")?))
}

fn arguments(json: &str, vm: &VirtualMachine) -> FuncArgs {
    let parsed = Reader::new(json.as_bytes()).value().ok();
    let members = parsed.as_ref().and_then(Value::as_object).cloned().unwrap_or_default();
    let named = members.iter().map(|(name, value)| (name.to_owned(), object(value, vm))).collect::<KwArgs>();
    FuncArgs::new(Vec::<PyObjectRef>::new(), named)
}

fn object(value: &Value, vm: &VirtualMachine) -> PyObjectRef {
    match value {
        Value::Null => vm.ctx.none(),
        Value::Bool(flag) => vm.ctx.new_bool(*flag).into(),
        Value::Number(number) if number.is_integer() => match number.literal().parse::<i64>() {
            Ok(small) => vm.ctx.new_int(small).into(),
            Err(_) => big_integer(number.literal(), vm),
        },
        Value::Number(number) => vm.ctx.new_float(number.as_f64()).into(),
        Value::Text(text) => vm.ctx.new_str(text.as_str()).into(),
        Value::List(items) => vm.ctx.new_list(items.iter().map(|item| object(item, vm)).collect()).into(),
        Value::Object(members) => dictionary(members, vm),
    }
}

fn big_integer(literal: &str, vm: &VirtualMachine) -> PyObjectRef {
    let text = vm.ctx.new_str(literal);
    vm.ctx.types.int_type.as_object().call((text,), vm).unwrap_or_else(|_| vm.ctx.none())
}

fn dictionary(members: &Object, vm: &VirtualMachine) -> PyObjectRef {
    let dict = vm.ctx.new_dict();
    for (key, value) in members.iter() {
        // A text key cannot fail to hash.
        let _ = dict.set_item(key, object(value, vm), vm);
    }
    dict.into()
}

/// Type name and text of an exception.
fn describe(error: &PyBaseExceptionRef, vm: &VirtualMachine) -> (String, String) {
    let text = match error.as_object().str(vm) {
        Ok(text) => text.to_string_lossy().chars().take(LONGEST_MESSAGE).collect(),
        Err(_) => String::new(),
    };
    (error.class().name().to_string(), text)
}

fn raised(error: &PyBaseExceptionRef, vm: &VirtualMachine) -> (u8, Vec<u8>) {
    let exceptions = &vm.ctx.exceptions;
    if error.class().fast_issubclass(exceptions.memory_error) {
        return (tag::OUT_OF_MEMORY, Vec::new());
    }
    if error.class().fast_issubclass(exceptions.module_not_found_error)
        && let Ok(name) = error.as_object().get_attr("name", vm)
        && let Some(name) = name.downcast_ref::<PyStr>()
    {
        return (tag::MISSING_MODULE, name.to_string_lossy().into_owned().into_bytes());
    }
    let (kind, message) = describe(error, vm);
    let mut payload = String::from("[");
    write_text(&kind, &mut payload);
    payload.push(',');
    write_text(&message, &mut payload);
    payload.push(']');
    (tag::RAISED, payload.into_bytes())
}
