import type { PolicyReport } from '#contract/operations/csp-report.ts'

/** Facts of a report that are logged: nothing that identifies a visitor. */
export type PolicyBreach = {
  /** `script-src-elem`, `frame-src` … */
  readonly directive: string
  /** The origin of the blocked resource; otherwise `inline`, `eval` and similar words of browsers. */
  readonly blocked: string
  /** The page's path; parts that may be numbers, keys or names are replaced by a star. */
  readonly page: string
  readonly ofScript: boolean
}

const directives = new Set([
  ...[
    'default-src',
    'script-src',
    'script-src-elem',
    'script-src-attr',
    'style-src',
    'style-src-elem',
    'style-src-attr',
  ],
  ...[
    'img-src',
    'connect-src',
    'frame-src',
    'child-src',
    'worker-src',
    'font-src',
    'media-src',
    'manifest-src',
    'object-src',
  ],
  ...['base-uri', 'form-action', 'frame-ancestors', 'require-trusted-types-for', 'trusted-types'],
])

/** @returns null for a report of another site's page, or of a directive that is not in the shop's policy */
export function policyBreach({ 'csp-report': report }: PolicyReport, publicUrl: string): PolicyBreach | null {
  const page = URL.parse(report['document-uri'])
  if (!page || page.host !== new URL(publicUrl).host) return null
  const [directive = ''] = (report['effective-directive'] || report['violated-directive']).split(' ', 1)
  if (!directives.has(directive)) return null
  return {
    directive,
    blocked: blockedBy(report['blocked-uri']),
    page: redactPath(page.pathname),
    ofScript: directive.startsWith('script-src') || directive.includes('trusted-types'),
  }
}

/** Removes all behind the host: it may contain personal data. */
function blockedBy(uri: string): string {
  if (/^[a-z-]{0,30}$/.test(uri)) return uri === '' ? 'inline' : uri
  const url = URL.parse(uri)
  if (!url) return 'unknown'
  return url.origin === 'null' ? url.protocol.slice(0, 20) : url.origin.slice(0, 100)
}

/** Replaces the parts of a path that may be a number, a key or a name by a star. */
export const redactPath = (path: string) =>
  path
    .split('/')
    .slice(0, 5)
    .map((part) => (/^[a-z-]{0,40}$/.test(part) ? part : '*'))
    .join('/')

/** Limits events to `most` a minute, and counts those suppressed since the last one that passed. */
export function limitPerMinute(most: number): (nowMs: number) => { passes: boolean; heldBack: number } {
  let minute = -1
  let count = 0
  let heldBack = 0
  return (nowMs) => {
    const now = Math.floor(nowMs / 60_000)
    if (now !== minute) [minute, count] = [now, 0]
    count += 1
    if (count > most) {
      heldBack += 1
      return { passes: false, heldBack }
    }
    const before = heldBack
    heldBack = 0
    return { passes: true, heldBack: before }
  }
}
