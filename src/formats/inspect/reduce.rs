//! Epochs to one value per sample, samples to one number: Inspect's reducers and metrics, counted again.

/// Value of a sample under a reducer, from the values of its epochs in order. `None` where the reducer is not
/// known or nothing of the sample was scored.
///
/// `pass_at_k` is 1 - C(n-c, k)/C(n, k), `pass_k_k` is C(c, k)/C(n, k), with c values of at least 1 among n.
pub(super) fn reduce(reducer: &str, values: &[f64]) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    let n = values.len();
    let right = values.iter().filter(|value| **value >= 1.0).count();
    let k_of = |prefix: &str| reducer.strip_prefix(prefix).and_then(|k| k.parse::<usize>().ok());
    match reducer {
        "mean" => mean(values),
        "median" => {
            let mut sorted = values.to_vec();
            sorted.sort_by(f64::total_cmp);
            Some(f64::midpoint(sorted[(n - 1) / 2], sorted[n / 2]))
        }
        "max" => values.iter().copied().max_by(f64::total_cmp),
        "mode" => mode(values),
        _ => {
            if let Some(k) = k_of("at_least_") {
                return Some(f64::from(u8::from(right >= k)));
            }
            let (kind, k) = k_of("pass_at_").map(|k| (true, k)).or_else(|| k_of("pass_k_").map(|k| (false, k)))?;
            if k == 0 || n < k {
                return None;
            }
            // Products of at most n factors, as C(a, k)/C(n, k) = prod (a-i)/(n-i).
            let share = |a: usize| (0..k).map(|i| a.saturating_sub(i) as f64 / (n - i) as f64).product::<f64>();
            Some(if kind { 1.0 - share(n - right) } else { share(right) })
        }
    }
}

/// The most frequent value; of several the one that came first.
fn mode(values: &[f64]) -> Option<f64> {
    let count = |value: f64| values.iter().filter(|other| **other == value).count();
    let mut best: Option<(usize, f64)> = None;
    for &value in values {
        let found = count(value);
        if best.is_none_or(|(most, _)| found > most) {
            best = Some((found, value));
        }
    }
    best.map(|(_, value)| value)
}

/// A metric over the reduced values of all samples; `None` where it is not one that follows from them.
pub(super) fn metric(name: &str, values: &[f64]) -> Option<f64> {
    match name.rsplit('/').next().unwrap_or(name) {
        "accuracy" | "mean" => mean(values),
        "var" => Some(variance(values)),
        "std" => Some(variance(values).sqrt()),
        // Inspect gives 0 where it is undefined, for fewer than two samples.
        "stderr" => Some((variance(values) / values.len().max(1) as f64).sqrt()),
        _ => None,
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| crate::number::sum(values.iter().copied()) / values.len() as f64)
}

/// Sample variance (n - 1); 0 for fewer than two values, as Inspect writes.
fn variance(values: &[f64]) -> f64 {
    let Some(mean) = mean(values).filter(|_| values.len() > 1) else { return 0.0 };
    crate::number::sum(values.iter().map(|value| (value - mean) * (value - mean))) / (values.len() - 1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reducers_are_those_of_the_papers() {
        let values = [1.0, 0.0, 1.0, 0.0, 0.5];
        assert_eq!(reduce("mean", &values), Some(0.5));
        assert_eq!(reduce("median", &values), Some(0.5));
        assert_eq!(reduce("max", &values), Some(1.0));
        assert_eq!(reduce("mode", &values), Some(1.0));
        assert_eq!(reduce("at_least_2", &values), Some(1.0));
        assert_eq!(reduce("at_least_3", &values), Some(0.0));
        // n = 5, c = 2, k = 2: 1 - C(3,2)/C(5,2) = 0.7 and C(2,2)/C(5,2) = 0.1.
        assert!((reduce("pass_at_2", &values).unwrap() - 0.7).abs() < 1e-12);
        assert!((reduce("pass_k_2", &values).unwrap() - 0.1).abs() < 1e-12);
        assert_eq!(reduce("pass_at_6", &values), None);
        assert_eq!(reduce("house_rule", &values), None);
        assert_eq!(reduce("mean", &[]), None);
    }

    #[test]
    fn metrics_are_means_and_deviations_over_samples() {
        // 8 of 10 right: sqrt(0.8 * 0.2 / 9) = 0.1333...
        let values: Vec<f64> = [1.0; 8].into_iter().chain([0.0; 2]).collect();
        assert_eq!(metric("inspect_ai/accuracy", &values), Some(0.8));
        assert!((metric("stderr", &values).unwrap() - 0.133_333_333_333_333_33).abs() < 1e-15);
        assert_eq!(metric("stderr", &[1.0]), Some(0.0));
        assert_eq!(metric("bootstrap_stderr", &values), None);
    }
}
