import { dice } from '#tests/support/shared/dice.ts'
import { seedOr } from '#tests/support/size.ts'

/**
 * Addresses that lead where nobody may be led, made out of parts: each part is one trick with which a reader of addresses was
 * ever made to see another host than the one that is reached. The same seed makes the same list.
 */

const foreign = 'evil.example'

const schemes = [
  ...['https:', 'http:', 'HTTPS:', 'hTtP:', 'ftp:', 'ws:', 'wss:', 'file:', 'blob:https:', 'filesystem:https:'],
  ...['view-source:https:', 'feed:https:', 'intent:', 'android-app:', 'x:', 'https', ''],
]
const slashes = [
  ...['//', '///', '////', '/', '', '\\\\', '/\\', '\\/', '/\t/', '/\n/', '/\r/', '\t//', '//\t', '/./\\', '/.//'],
  ...['/..//', '%2f%2f', '%5c%5c', '/%2f', '/%5c', '／／', '//%09', '//%00'],
]
const before = [
  ...[
    '',
    'shop@',
    'HOST@',
    'HOST:80@',
    'HOST%40',
    'HOST%2f@',
    'HOST\\@',
    'HOST#@',
    'HOST?@',
    'HOST.',
    'a:b@',
    '@',
    ':@',
  ],
]
const hosts = [
  ...[foreign, foreign.toUpperCase(), 'evil。example', 'evil．example', 'ⓔvil.example', 'evil%E3%80%82example'],
  ...['evil.ex\u00adample', 'evil.ex\u200dample', 'e\tvil.example', '%65vil.example', '[::1]', '2130706433', '0x7f.1'],
  ...['evil.example.', 'xn--evl-gma.example', '127.0.0.1:1', 'localhost:1'],
]
const after = [
  '',
  '/',
  '/HOST/',
  '#HOST',
  '?HOST',
  '\\@HOST',
  '/%2f..',
  ':443',
  '/..;/',
  '/\u2028',
  ' ',
  '%0d%0aX-A: b',
]
const inFront = [
  '',
  ' ',
  '\t',
  '\n',
  '\r\n',
  '\u0000',
  '\u0001',
  '\u001f',
  '\u00a0',
  '\u2028',
  '\ufeff',
  '.',
  '/.',
  '/%09',
]

const scripts = [
  ...[
    'javascript:',
    'JaVaScRiPt:',
    'java\tscript:',
    'java\nscript:',
    '\u0001javascript:',
    'javascript&colon;',
    'vbscript:',
  ],
  ...[
    'data:text/html,',
    'data:text/html;base64,',
    'javascript://HOST/%0a',
    'livescript:',
    'mhtml:',
    'about:',
    'mailto:',
  ],
]
const rest = ['alert(1)', '<script>alert(1)</script>', '%61lert(1)', 'alert`1`', '//HOST/', 'blank']

/** @param host of the shop, which many of them try to look like */
export function hostileRedirects(count: number, host: string, seed = seedOr(21)): string[] {
  const throwDie = dice(seed)
  const one = (list: readonly string[]) => list[throwDie(list.length)] ?? ''
  const made = new Set<string>(scripts.flatMap((scheme) => rest.map((text) => scheme + text)))
  while (made.size < count) {
    const address = one(inFront) + one(schemes) + one(slashes) + one(before) + one(hosts) + one(after)
    made.add(throwDie(50) === 0 ? address + 'x'.repeat(3000 + throwDie(3000)) : address)
  }
  return [...made].slice(0, count).map((address) => address.replaceAll('HOST', host))
}

/** IPv4 addresses of every network that is none of the open internet's. */
const insideV4 = [
  ...['127.0.0.1', '127.1.2.3', '127.255.255.254', '0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.1.2', '100.64.0.1'],
  ...['100.127.3.4', '169.254.169.254', '169.254.170.2', '172.16.0.1', '172.31.9.9', '192.0.0.192', '192.0.2.7'],
  ...['192.168.0.1', '192.168.178.1', '198.18.0.1', '198.51.100.3', '203.0.113.9', '224.0.0.1', '239.255.255.250'],
  ...['240.0.0.1', '255.255.255.255'],
]

/** The ways in which the readers of addresses accept one IPv4 address. */
function spellings(address: string): string[] {
  const parts = address.split('.').map(Number)
  const [a = 0, b = 0, c = 0, d = 0] = parts
  const whole = ((a * 256 + b) * 256 + c) * 256 + d
  const hex = (value: number, width = 1) => value.toString(16).padStart(width, '0')
  const wide = [...address]
    .map((sign) => (/\d/.test(sign) ? String.fromCodePoint(0xff10 + Number(sign)) : sign))
    .join('')
  const groups = `${hex(a * 256 + b)}:${hex(c * 256 + d)}`
  return [
    address,
    `${address}.`,
    String(whole),
    `0x${hex(whole, 8)}`,
    `0${whole.toString(8)}`,
    parts.map((part) => `0${part.toString(8)}`).join('.'),
    parts.map((part) => `0x${hex(part, 2)}`).join('.'),
    parts.map((part) => `00000${part.toString(8)}`).join('.'),
    `${a}.${b * 65536 + c * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    `0x${hex(a)}.${b}.0${c.toString(8)}.${d}`,
    address.replaceAll('.', '%2e'),
    [...address].map((sign) => `%${hex(sign.charCodeAt(0), 2)}`).join(''),
    wide,
    address.replaceAll('.', '。'),
    `[::ffff:${address}]`,
    `[::ffff:${groups}]`,
    `[0:0:0:0:0:FFFF:${groups}]`,
    `[::${address}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b:1::${groups}]`,
    `[2002:${groups}::1]`,
    `[2001:0:${groups}::]`,
    `[fe80::5efe:${groups}]`,
  ]
}

const insideV6 = [
  ...[
    '::1',
    '::',
    '0:0:0:0:0:0:0:1',
    '0000:0000:0000:0000:0000:0000:0000:0001',
    'fe80::1',
    'febf::9',
    'fc00::1',
    'fd00::2',
  ],
  ...[
    'fd12:3456:789a::1',
    'ff02::1',
    '2001:db8::1',
    '2001::1',
    '2002:7f00:1::',
    '3fff::1',
    '100::1',
    'fec0::1',
    '5f00::1',
  ],
]

/** Names that the resolver of the test finds inside the network, alone or among others. */
export const insideNames: Readonly<Record<string, readonly string[]>> = {
  'inside.example': ['10.0.0.7'],
  'mixed.example': ['93.184.216.34', '127.0.0.1'],
  'metadata.example': ['169.254.169.254'],
  'six.example': ['::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'local.example': ['fe80::1', '2606:2800:220:1::1'],
  'nat.example': ['64:ff9b::7f00:1'],
  localhost: ['127.0.0.1', '::1'],
  'shop.localhost': ['127.0.0.1'],
  '127.0.0.1.names.example': ['127.0.0.1'],
  'zero.example': ['0.0.0.0'],
}

const otherSchemes = [
  ...[
    'file:///etc/passwd',
    'file://127.0.0.1/x',
    'ftp://127.0.0.1/',
    'gopher://127.0.0.1:6379/_x',
    'dict://127.0.0.1:11211/',
  ],
  ...[
    'data:image/png;base64,AAAA',
    'javascript:1',
    'blob:http://127.0.0.1/1',
    'ws://127.0.0.1/',
    'unix:/var/run/x.sock',
  ],
  ...[
    'ldap://127.0.0.1/',
    'jar:http://127.0.0.1!/',
    'netdoc:/etc/passwd',
    'about:blank',
    'node:fs',
    '//127.0.0.1/',
    '',
  ],
]

/** @param port of a server on this machine, which must hear nothing of them */
export function hostileServers(count: number, port: number, seed = seedOr(22)): string[] {
  const throwDie = dice(seed)
  const one = (list: readonly string[]) => list[throwDie(list.length)] ?? ''
  const all = [
    ...insideV4.flatMap(spellings),
    ...insideV6.map((address) => `[${address}]`),
    ...Object.keys(insideNames).flatMap((name) => [name, `${name}.`, name.toUpperCase()]),
  ]
  const made = new Set<string>([...otherSchemes, ...all.map((host) => `http://${host}:${port}/x`)])
  while (made.size < count) {
    const scheme = one(['http://', 'https://', 'HTTP://', 'http:\\\\', 'http:/', 'http:', ' http://', 'ht\ttp://'])
    const user = one(['', '', '', 'user@', 'user:password@', '93.184.216.34@', 'public.example:80@', '@'])
    made.add(
      scheme +
        user +
        one(all) +
        one(['', ':80', `:${port}`, ':22', ':6379', ':5432', ':0', ':65535']) +
        one(['/', '', '/a?b#c']),
    )
  }
  return [...made].slice(0, count)
}
