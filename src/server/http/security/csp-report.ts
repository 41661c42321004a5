import type { PolicyReport } from '#contract/operations/csp-report.ts'

/** What is told of a report: nothing by which a visitor could be known. */
export type PolicyBreach = {
  /** `script-src-elem`, `frame-src` … */
  readonly directive: string
  /** The origin of what was kept out; else `inline`, `eval` and what browsers call the like. */
  readonly blocked: string
  /** The page's path; parts of it that may be numbers, keys or names are a star. */
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

/** @returns null for a report that is of no page of the shop, or of no part of its policy */
export function policyBreach({ 'csp-report': report }: PolicyReport, publicUrl: string): PolicyBreach | null {
  const page = URL.parse(report['document-uri'])
  if (!page || page.host !== new URL(publicUrl).host) return null
  const [directive = ''] = (report['effective-directive'] || report['violated-directive']).split(' ', 1)
  if (!directives.has(directive)) return null
  return {
    directive,
    blocked: blockedBy(report['blocked-uri']),
    page: withoutNames(page.pathname),
    ofScript: directive.startsWith('script-src') || directive.includes('trusted-types'),
  }
}

/** An address may hold anything behind its host. */
function blockedBy(uri: string): string {
  if (/^[a-z-]{0,30}$/.test(uri)) return uri === '' ? 'inline' : uri
  const url = URL.parse(uri)
  if (!url) return 'unknown'
  return url.origin === 'null' ? url.protocol.slice(0, 20) : url.origin.slice(0, 100)
}

/** A path in which whatever may be a number, a key or a name is a star. */
export const withoutNames = (path: string) =>
  path
    .split('/')
    .slice(0, 5)
    .map((part) => (/^[a-z-]{0,40}$/.test(part) ? part : '*'))
    .join('/')

/** Lets so many through in a minute, and says how many it has held back since. */
export function perMinute(most: number): (nowMs: number) => { passes: boolean; heldBack: number } {
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
