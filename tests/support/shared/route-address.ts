/**
 * An address that the route `pattern` answers: each parameter (`:id`, `:id{[1-9][0-9]{0,14}}`) and `*` replaced by its value.
 * A parameter without a value becomes the first of `1`, `x` and the words of its rule that the rule allows.
 */
export function routeAddress(pattern: string, values: Readonly<Record<string, string | number>> = {}): string {
  return pattern.replace(parameter, (_, name: string | undefined, rule = '.+') => {
    const given = name === undefined ? undefined : values[name]
    if (given !== undefined) return String(given)
    const allowed = new RegExp(`^(?:${rule})$`)
    return ['1', 'x', ...rule.split('|')].find((value) => allowed.test(value)) ?? '1'
  })
}

// A rule may hold braces of its own, one level deep: `{[1-9][0-9]{0,14}}`.
const parameter = /:(\w+)(?:\{((?:[^{}]|\{[^}]*\})*)\})?|\*/g
