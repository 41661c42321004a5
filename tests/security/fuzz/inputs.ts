import { storeHeaders, storeNonceAction } from '#contract/cart/store-headers.ts'
import type { Person } from '../support/people.ts'
import type { Schema, Target } from './targets.ts'
import { type Dice, hostile, nearly, oneOf, sometimes } from './values.ts'

/** One request, as it can be printed and sent again. */
export type Input = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** As latin1: each character is a byte. */
  readonly body: string | null
}

/** What the shop really has, for inputs that come far. */
export type Known = {
  readonly values: readonly (string | number)[]
  /** By the name of a field, where one of its own is needed to come far. */
  readonly byName: Readonly<Record<string, readonly unknown[]>>
  /** By the name of a route's parameter. */
  readonly parameters: Readonly<Record<string, readonly string[]>>
}

const everyMethod = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'BREW'] as const
const bytesOf = (text: string) => Buffer.from(text, 'utf8').toString('latin1')

/** A request to this route: mostly near to what it takes, never quite sure to be so. */
export function anInput(
  roll: Dice,
  target: Target,
  person: Person,
  known: Known,
  nonces: Readonly<Record<string, string>>,
): Input {
  const usual = oneOf(roll, target.methods)
  const method = sometimes(roll, 88) ? usual : oneOf(roll, everyMethod)
  const fields = fieldsFor(roll, target, known, nonces)
  if (target.nonce !== null && typeof target.nonce !== 'string' && sometimes(roll, 92)) {
    fields.push([target.nonce.field, person.nonce(target.nonce.action)])
  }
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const inQuery = hasBody ? fields.filter(() => sometimes(roll, 10)) : fields
  const { body, type } = hasBody ? bodyFor(roll, target.json, fields) : { body: null, type: null }
  const headers: Record<string, string> = { ...person.headers, ...oddHeaders(roll, person) }
  if (target.nonce === 'header' && sometimes(roll, 92)) headers['x-wp-nonce'] = person.nonce('wp_rest')
  if (target.nonce === 'store-header' && sometimes(roll, 92))
    headers[storeHeaders.nonce] = person.nonce(storeNonceAction)
  if (type !== null) headers['content-type'] = type
  return { method, path: pathFor(roll, target.path, known) + queryOf(roll, target.path, inQuery), headers, body }
}

function fieldsFor(
  roll: Dice,
  { fields, json, own }: Target,
  known: Known,
  nonces: Readonly<Record<string, string>>,
): [string, unknown][] {
  const names = Object.keys(fields)
  const many = names.length > 25
  const chosen = many
    ? Array.from({ length: 1 + roll(8) }, () => oneOf(roll, own.length > 0 && sometimes(roll, 70) ? own : names))
    : names
  // Careful inputs are fine but for one field, so that they come as far as that field does.
  const careful = sometimes(roll, 60)
  const spoiled = careful ? oneOf(roll, [...chosen, '']) : null
  const made = chosen
    .filter((_name) => many || careful || sometimes(roll, 85))
    .map((name): [string, unknown] => {
      const proper = nonces[name] === undefined ? properFor(name, fields[name], known) : [nonces[name]]
      const spoils = spoiled === null ? sometimes(roll, 30) : name === spoiled
      if (spoils) return [name, sometimes(roll, 50) ? hostile(roll) : nearly(roll, fields[name] ?? {}, known.values)]
      return [name, proper ? oneOf(roll, proper) : nearly(roll, fields[name] ?? {}, known.values)]
    })
  // A form is judged by its nonce first: without one, little of it is looked at.
  if (!json) for (const [name, nonce] of Object.entries(nonces)) if (sometimes(roll, 80)) made.push([name, nonce])
  if (!careful && sometimes(roll, 25)) made.push([oneOf(roll, strangeNames), hostile(roll)])
  return made
}

/** A declaration that lists its words needs none of ours. */
const properFor = (name: string, schema: Schema | undefined, { byName }: Known) =>
  schema?.enum ? undefined : byName[name]

const strangeNames = [
  'extra',
  '__proto__',
  'constructor',
  'role',
  'status',
  'total',
  'customer_id',
  'action',
  '',
] as const

/** A parameter in the path of a route, or the rest of it. */
export const parameterPattern = /:(\w+)(?:\{(?:[^{}]|\{[^}]*\})*\})?|\*/g

/** Fills the parameters of a route; now and then the address is written as nobody writes it. */
function pathFor(roll: Dice, pattern: string, known: Known): string {
  const filled = pattern.replace(parameterPattern, (_, name: string | undefined) => {
    const usual = known.parameters[name ?? '*'] ?? ['1']
    return sometimes(roll, 75) ? oneOf(roll, usual) : oddPart(roll)
  })
  if (sometimes(roll, 85)) return filled
  switch (roll(8)) {
    case 0:
      return `/de${filled}`
    case 1:
      return `/it${filled}`
    case 2:
      return `/AR${filled}`
    case 3:
      return filled.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
    case 4:
      return `/${filled}`
    case 5:
      return `/x/..${filled}`
    case 6:
      return filled.replace(/\/(?=$|\?)/, '')
    default:
      return filled.toUpperCase()
  }
}

function oddPart(roll: Dice): string {
  const value = hostile(roll)
  const text =
    typeof value === 'string' ? value.slice(0, 3000).toWellFormed() : JSON.stringify(value).slice(0, 300).toWellFormed()
  switch (roll(4)) {
    case 0:
      return encodeURIComponent(text)
    case 1:
      return encodeURIComponent(encodeURIComponent(text.slice(0, 500).toWellFormed()))
    case 2:
      return oneOf(roll, [
        '%ff%fe',
        '%c0%ae%c0%ae',
        '%u0041',
        '%',
        '..;',
        '%2e%2e%2f',
        '%00',
        '%0d%0aX:%201',
        '%F0%9F%99%82',
        '%ED%A0%80',
        '-1',
        '0',
        '999999999999999',
        '9'.repeat(30),
      ])
    default:
      return text.replace(/[?#\s]/g, '')
  }
}

/** Names and values as a form has them. What is no text is written with brackets, or wrongly. */
function pairsOf(roll: Dice, fields: readonly [string, unknown][]): [string, string][] {
  return fields.flatMap(([name, value]): [string, string][] => {
    if (Array.isArray(value))
      return value.slice(0, 1100).map((one, index) => [oneOf(roll, [`${name}[]`, `${name}[${index}]`]), textOf(one)])
    if (typeof value === 'object' && value !== null)
      return Object.entries(value).map(([key, inner]) => [`${name}[${key}]`, textOf(inner)])
    if (sometimes(roll, 2))
      return [[`${name}[${oneOf(roll, ['', 'a', 'a][b', '__proto__', 'constructor', '0', ' '])}]`, textOf(value)]]
    if (sometimes(roll, 2))
      return [
        [name, 'first'],
        [name, textOf(value)],
      ]
    return [[name, textOf(value)]]
  })
}
const textOf = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

function queryOf(roll: Dice, path: string, fields: readonly [string, unknown][]): string {
  if (fields.length === 0) return ''
  const pairs = pairsOf(roll, fields).map(([name, value]) => [name, value.slice(0, 9000).toWellFormed()])
  const query = sometimes(roll, 4)
    ? oneOf(roll, ['%zz=%', 'a=%ff&b=%c3%28', '&&&&==', 'a[=1&]b[=2', `${'a=1&'.repeat(900)}`])
    : new URLSearchParams(pairs).toString()
  return `${path.includes('?') ? '&' : '?'}${query.slice(0, sometimes(roll, 95) ? 6000 : 20_000)}`
}

const form = 'application/x-www-form-urlencoded'

function bodyFor(roll: Dice, json: boolean, fields: readonly [string, unknown][]): { body: string; type: string } {
  const asJson = () => bytesOf(jsonOf(roll, fields))
  const asForm = () =>
    new URLSearchParams(pairsOf(roll, fields).map(([name, value]) => [name, value.toWellFormed()])).toString()
  if (sometimes(roll, 88)) return json ? { body: asJson(), type: 'application/json' } : { body: asForm(), type: form }
  switch (roll(9)) {
    case 0:
      return { body: asJson(), type: form }
    case 1:
      return { body: asForm(), type: 'application/json' }
    case 2:
      return {
        body: asForm(),
        type: oneOf(roll, [
          '',
          ';',
          'text/plain',
          'application/xml',
          'multipart/form-data',
          'multipart/form-data; boundary=',
          'application/json; charset=utf-16',
          'image/png',
        ]),
      }
    case 3:
      return { body: `${asForm().slice(0, -3)}\xff\xc3\x28%ff%`, type: form }
    case 4:
      return { body: asJson().slice(0, -2), type: 'application/json' }
    case 5:
      return { body: `${'{"a":'.repeat(oneOf(roll, [19, 20, 21, 3000]))}1`, type: 'application/json' }
    case 6:
      return { body: `{"a":"${'x'.repeat(oneOf(roll, [262_136, 262_137, 400_000]))}"}`, type: 'application/json' }
    case 7: {
      const parts = pairsOf(roll, fields.slice(0, 5)).map(
        ([name, value]) =>
          `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${bytesOf(value.slice(0, 500).toWellFormed())}\r\n`,
      )
      return {
        body: `${parts.join('')}--b${oneOf(roll, ['--', '--\r\n', '', '\r\n'])}`,
        type: 'multipart/form-data; boundary=b',
      }
    }
    default:
      return {
        body: String.fromCharCode(...Array.from({ length: 200 }, () => roll(256))),
        type: oneOf(roll, [form, 'application/json', 'multipart/form-data; boundary=b', 'image/png']),
      }
  }
}

function jsonOf(roll: Dice, fields: readonly [string, unknown][]): string {
  const members = fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`)
  if (sometimes(roll, 4) && members[0]) members.push(members[0])
  if (sometimes(roll, 4))
    members.push(
      oneOf(roll, [
        '"n":1e400',
        '"n":-0',
        '"n":00',
        '"t":"\\ud800"',
        '"t":"\\u0000"',
        '"__proto__":{"a":1}',
        '"a":{"constructor":{"prototype":1}}',
      ]),
    )
  const text = `{${members.join(',')}}`
  return sometimes(roll, 97)
    ? text
    : oneOf(roll, [`[${text}]`, `\uFEFF${text}`, `${text}${text}`, 'null', '"text"', '[]', '1', ''])
}

const oddHeader: readonly ((roll: Dice) => readonly [string, string])[] = [
  (roll) => ['accept', oneOf(roll, ['', '*/*', 'text/html', 'application/json', 'x'.repeat(4000), 'a/b;q=9e9'])],
  (roll) => ['accept-language', oneOf(roll, ['de', 'ar,*;q=0', 'x'.repeat(3000), '-', 'en-US;q=NaN', '\xff\xfe'])],
  (roll) => ['accept-encoding', oneOf(roll, ['br', 'gzip;q=0', 'identity;q=0, *;q=0', 'x'.repeat(500)])],
  (roll) => ['user-agent', oneOf(roll, ['', '\xff\xfe\x80', '<fuzz-mark>', 'x'.repeat(8000), 'Googlebot'])],
  (roll) => [
    'referer',
    oneOf(roll, ['x', '//', 'https://evil.example/', 'http://127.0.0.1:1/?utm_source=<fuzz-mark>', 'javascript:1']),
  ],
  (roll) => ['x-forwarded-for', oneOf(roll, ['', '::', '999.1.1.1', '1.1.1.1,'.repeat(300), '<fuzz-mark>', "' or 1"])],
  (roll) => ['idempotency-key', oneOf(roll, ['', 'a', 'x'.repeat(255), 'x'.repeat(256), '\xff', '__proto__'])],
  (roll) => ['x-http-method-override', oneOf(roll, ['DELETE', 'get', 'PATCH', 'x'.repeat(300), '__proto__'])],
  (roll) => ['x-wp-nonce', oneOf(roll, ['', '0123456789', 'x'.repeat(3000), '\xff'])],
  (roll) => [
    'range',
    oneOf(roll, [
      'bytes=0-0',
      'bytes=-1',
      'bytes=9-1',
      `bytes=${'0-1,'.repeat(300)}`,
      'bytes=99999999999999999999-',
      'x',
    ]),
  ],
  (roll) => ['if-none-match', oneOf(roll, ['*', 'W/"x"', '"', 'x'.repeat(3000)])],
  (roll) => ['if-modified-since', oneOf(roll, ['x', '0', 'Thu, 01 Jan 1970 00:00:00 GMT', 'Thu, 99 Foo 99999'])],
  (roll) => ['sec-fetch-site', oneOf(roll, ['same-origin', 'none', 'cross-site', 'x'])],
  (roll) => ['sec-purpose', oneOf(roll, ['prefetch', 'prefetch;prerender', 'x'])],
  (roll) => [
    'content-disposition',
    oneOf(roll, [
      'attachment; filename="x.png"',
      "attachment; filename*=UTF-8''%ff%zz",
      'attachment; filename="../../x"',
      'x',
    ]),
  ],
  (roll) => ['content-encoding', oneOf(roll, ['gzip', 'br', 'x'])],
  (roll) => [
    'authorization',
    oneOf(roll, ['Basic', 'Basic ====', 'Bearer x', 'OAuth a="', `Basic ${'A'.repeat(3000)}`]),
  ],
  (roll) => ['origin', oneOf(roll, ['null', 'https://evil.example', 'x'])],
  (roll) => ['host', oneOf(roll, ['evil.example', '', 'a b', '127.0.0.1:99999'])],
  (roll) => [
    'paypal-cert-url',
    oneOf(roll, ['http://evil.example/', 'x', 'file:///etc/passwd', 'https://api.paypal.com@evil.example/']),
  ],
]

const oddCookies = [
  (roll: Dice) =>
    `sid=${oneOf(roll, ['', 'x', '0'.repeat(64), 'F'.repeat(64), '%00', 'x'.repeat(8192), '\xff\xfe', '__proto__'])}`,
  (roll: Dice) => `currency=${oneOf(roll, ['EUR', 'JPY', 'XXX', '__proto__', '<fuzz-mark>', 'x'.repeat(4000), '%zz'])}`,
  (roll: Dice) => `vitrine_notices=${oneOf(roll, ['1', '', 'x'.repeat(2000)])}`,
  (roll: Dice) =>
    `sbjs_current=${oneOf(roll, ['typ%3Dutm%7C%7C%7Csrc%3D%3Cfuzz-mark%3E', '%zz', '|||', '=', 'x'.repeat(4000)])}`,
  (roll: Dice) =>
    oneOf(roll, [
      ';;;==;',
      'a',
      '=a',
      `${'a=b; '.repeat(500)}`,
      'woocommerce_items_in_cart=x; wp_woocommerce_session_x=%00',
      'vitrine_consent=__proto__',
      'store_notice=%zz',
    ]),
]

function oddHeaders(roll: Dice, person: Person): Record<string, string> {
  const made: Record<string, string> = {}
  while (sometimes(roll, 30)) {
    const [name, value] = oneOf(roll, oddHeader)(roll)
    // A program is known by this header alone.
    if (name !== 'authorization' || person.identity !== 'program') made[name] = value
  }
  if (sometimes(roll, 12)) {
    const own = person.headers.cookie
    const odd = oneOf(roll, oddCookies)(roll)
    made.cookie = own === undefined || sometimes(roll, 40) ? odd : `${own}; ${odd}`
  }
  return made
}
