export type HostileBody = {
  readonly what: string
  readonly type: string
  readonly body: string | Uint8Array<ArrayBuffer>
  readonly status: number
}

const json = 'application/json'
const form = 'application/x-www-form-urlencoded'
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))

/** Bodies that nothing of ours sends: each is refused before anything looks at what it says. */
export const malformedBodies: readonly HostileBody[] = [
  { what: 'half a JSON', type: json, body: '{"product_id":', status: 400 },
  { what: 'two JSON objects', type: json, body: '{}{}', status: 400 },
  { what: 'JSON that is an array', type: json, body: '[{"product_id":1}]', status: 400 },
  { what: 'JSON null', type: json, body: 'null', status: 400 },
  { what: 'JSON that is a text', type: json, body: '"product_id"', status: 400 },
  { what: 'JSON with 1e309 where nothing ends', type: json, body: '{"qty":1e309', status: 400 },
  { what: 'JSON in UTF-16', type: json, body: new Uint8Array(Buffer.from('\uFEFF{"a":1}', 'utf16le')), status: 400 },
  { what: 'JSON with bytes that are no UTF-8', type: json, body: bytes('{"a":"\xFF\xC0"}'), status: 400 },
  { what: 'JSON with an escaped NUL', type: json, body: '{"coupon_code":"a\\u0000b"}', status: 400 },
  { what: 'JSON with half a character', type: json, body: '{"coupon_code":"\\ud800"}', status: 400 },
  { what: 'JSON thirty levels deep', type: json, body: nested(30), status: 400 },
  { what: 'JSON with __proto__', type: json, body: '{"__proto__":{"isAdmin":true}}', status: 400 },
  { what: 'JSON with constructor', type: json, body: '{"a":{"constructor":{"prototype":{"x":1}}}}', status: 400 },
  {
    what: 'JSON with a length that is none',
    type: json,
    body: '{"payment_method":{"length":{"toString":1}}}',
    status: 400,
  },
  { what: 'JSON with a name given twice', type: json, body: '{"product_id":1,"product_id":2}', status: 400 },
  { what: 'JSON of 300 KB', type: json, body: `{"a":"${'x'.repeat(300_000)}"}`, status: 413 },
  { what: 'a form with a NUL', type: form, body: 'coupon_code=a\0b', status: 400 },
  { what: 'a form with %00', type: form, body: 'coupon_code=a%00b&billing_city=%00', status: 400 },
  { what: 'a form with %00 in a name', type: form, body: 'coupon%00code=a', status: 400 },
  { what: 'a form with bytes that are no UTF-8', type: form, body: bytes('coupon_code=\xC3\x28'), status: 400 },
  { what: 'a form with %ff', type: form, body: 'coupon_code=%ff%fe', status: 400 },
  { what: 'a form of 10,000 fields', type: form, body: 'a=1&'.repeat(10_000), status: 400 },
  { what: 'a form thirty levels deep', type: form, body: `a${'[b]'.repeat(30)}=1`, status: 400 },
  { what: 'a form with __proto__', type: form, body: '__proto__[isAdmin]=1', status: 400 },
  { what: 'a form with constructor inside', type: form, body: 'cart[constructor][prototype]=1', status: 400 },
  { what: 'a form with a length that is none', type: form, body: 'payment_method[length][a]=1', status: 400 },
  { what: 'a form of 300 KB', type: form, body: `a=${'x'.repeat(300_000)}`, status: 413 },
  {
    what: 'XML',
    type: 'application/xml',
    body: '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    status: 415,
  },
  { what: 'a picture', type: 'image/png', body: bytes('\x89PNG\r\n'), status: 400 },
  { what: 'multipart without a boundary', type: 'multipart/form-data', body: '--x\r\n', status: 400 },
  {
    what: 'multipart of 2,000 files',
    type: 'multipart/form-data; boundary=x',
    body: `${'--x\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\n\r\n'.repeat(2000)}--x--\r\n`,
    status: 400,
  },
  {
    what: 'multipart that breaks off',
    type: 'multipart/form-data; boundary=x',
    body: '--x\r\nContent-Disp',
    status: 400,
  },
]

/** Values for one field of an otherwise proper request. What is no text goes into JSON only. */
export const hostileValues: readonly unknown[] = [
  '-1',
  '1.5',
  '1e309',
  'NaN',
  '99999999999999999999999',
  '9007199254740993',
  '٣',
  '',
  ' \t\r\n',
  '<script>alert(1)</script>',
  `"'><img src=x onerror=alert(1)>`,
  `' or 1=1; drop table orders --`,
  '../../../../etc/passwd',
  '{{7*7}}<%= 7*7 %>%s%n',
  '\u202E\u2066\uFEFF',
  '\u{1F600}'.repeat(50),
  'x'.repeat(9000),
  -1,
  1.5,
  1e308,
  0,
  true,
  null,
  ['1', '2'],
  { length: 1, toString: 'x', valueOf: 'x' },
  Array.from({ length: 2000 }, () => 'x'),
]
