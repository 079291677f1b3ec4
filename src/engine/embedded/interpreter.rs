//! A warmed interpreter and the execution of one program in it.

use rustpython_vm::builtins::{PyBaseExceptionRef, PyCode, PyDict, PyStr};
use rustpython_vm::compiler::Mode;
use rustpython_vm::function::{FuncArgs, KwArgs};
use rustpython_vm::scope::Scope;
use rustpython_vm::{AsObject, Interpreter, PyObjectRef, PyRef, PyResult, Settings, VirtualMachine};

use super::plain::{Encoded, PlainEntries, encode_entries};
use super::sum::compensated_sum;
use crate::engine::frame::{Request, tag};
use crate::engine::program::{Entry, write_text};
use crate::json::{Object, Reader, Value};

/// Lets pure modules load that need others on the way; names them, and the texts by which programs name them.
pub(in crate::engine) const STAND_IN: &str = include_str!("stand_in.py");
/// Modules that programs use most; loaded once, before the first fork.
const WARM: [&str; 2] = ["math", "json"];
const LONGEST_MESSAGE: usize = 2000;
/// Numbers of [`crate::engine::Entry`] in a request.
const SCRIPT: u32 = Entry::Script.code();
const CALLS: u32 = Entry::CALLS;

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
        self.load.call((vm.ctx.new_str(request.source.as_str()),), vm)?;
        let arguments = Reader::new(request.arguments.as_bytes()).value().ok();
        let arguments = arguments.as_ref().and_then(Value::as_object).cloned().unwrap_or_default();
        // Before the program runs: what it does to the compiler of its process reaches no call.
        let calls = if request.entry == CALLS { compiled(&arguments, vm)? } else { Vec::new() };
        let namespace = vm.ctx.new_dict();
        namespace.set_item("print", self.silent.clone(), vm)?;
        let scope = Scope::with_builtins(None, namespace.clone(), vm);
        vm.run_code_obj(compile(&request.source, Mode::Exec, "<string>", vm)?, scope)?;
        if request.entry == SCRIPT {
            return Ok((tag::RETURNED, b"[]".to_vec()));
        }
        if request.entry == CALLS {
            let name = arguments.get("function").and_then(Value::as_text).unwrap_or_default();
            let function = namespace.get_item_opt(name, vm)?.filter(|function| function.is_callable());
            let Some(function) = function else { return Ok((tag::NO_SOLVE, Vec::new())) };
            return called(&function, calls, request.frame_bytes as usize, vm);
        }
        let Some(solve) = namespace.get_item_opt("solve", vm)?.filter(|solve| solve.is_callable()) else {
            return Ok((tag::NO_SOLVE, Vec::new()));
        };
        let returned = solve.call(keywords(&arguments, vm), vm)?;
        let Some(entries) = returned.downcast_ref::<PyDict>() else {
            return Ok((tag::NOT_A_DICT, returned.class().name().as_bytes().to_vec()));
        };
        Ok(framed(encode_entries(entries, request.frame_bytes as usize, vm)?))
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
    // What is made at first use is made here once, and not in each child.
    let warmed = define("def solve(x=1.5):\n    return {'1': {'value': x ** 0.5, 'unit': f'{x:.1f} m'}}\n", "solve")?;
    warmed.call((), vm)?;
    let silent = define("def print(*args, **kwargs):\n    return None\n", "print")?;
    Ok((silent, define(STAND_IN, "load")?))
}

fn compile(source: &str, mode: Mode, path: &str, vm: &VirtualMachine) -> PyResult<PyRef<PyCode>> {
    vm.compile(source, mode, path.to_owned()).map_err(|error| vm.new_syntax_error(&error, Some(source)))
}

/// The calls of a request, each as the call of a name that only its own namespace holds.
fn compiled(arguments: &Object, vm: &VirtualMachine) -> PyResult<Vec<PyRef<PyCode>>> {
    let calls = arguments.get("calls").and_then(Value::as_list).unwrap_or_default();
    let call = |call: &Value| compile(&format!("_({})", call.as_text().unwrap_or_default()), Mode::Eval, "<call>", vm);
    calls.iter().map(call).collect()
}

/// What each call returned, or the exception that left it; one entry for each.
fn called(
    function: &PyObjectRef,
    calls: Vec<PyRef<PyCode>>,
    limit: usize,
    vm: &VirtualMachine,
) -> PyResult<(u8, Vec<u8>)> {
    let mut plain = PlainEntries::new(limit, vm);
    for code in calls {
        let namespace = vm.ctx.new_dict();
        namespace.set_item("_", function.clone(), vm)?;
        let fits = match vm.run_code_obj(code, Scope::with_builtins(None, namespace, vm)) {
            Ok(value) => plain.returned(&value)?,
            Err(error) if is_of_the_environment(&error, vm) => return Err(error),
            Err(error) => {
                let (kind, message) = describe(&error, vm);
                plain.raised(&kind, &message)
            }
        };
        if !fits {
            return Ok((tag::TOO_LARGE, Vec::new()));
        }
    }
    Ok(framed(plain.finish()))
}

/// Exceptions that say something about where a program ran and not about the program.
fn is_of_the_environment(error: &PyBaseExceptionRef, vm: &VirtualMachine) -> bool {
    let exceptions = &vm.ctx.exceptions;
    let class = error.class();
    class.fast_issubclass(exceptions.memory_error) || class.fast_issubclass(exceptions.module_not_found_error)
}

fn framed(encoded: Encoded) -> (u8, Vec<u8>) {
    match encoded {
        Encoded::Text(text) => (tag::RETURNED, text.into_bytes()),
        Encoded::TooLarge => (tag::TOO_LARGE, Vec::new()),
    }
}

fn keywords(members: &Object, vm: &VirtualMachine) -> FuncArgs {
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
