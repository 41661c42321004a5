/** Names of browsers, the more specific before those whose names they repeat. */
const browsers = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ (?:Mobile\/\w+ )?Safari\//, 'Safari'],
] as const

const systems = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const

/** Returns browser and system of a user agent, for a list of devices; '' if unknown. */
export function browserName(userAgent: string): { browser: string; system: string } {
  const named = (known: typeof browsers | typeof systems) =>
    known.find(([pattern]) => pattern.test(userAgent))?.[1] ?? ''
  return { browser: named(browsers), system: named(systems) }
}
