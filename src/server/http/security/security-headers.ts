import { policyReportPath } from '#contract/operations/csp-report.ts'
import type { ProviderAddresses } from '../../operations/startup/application.ts'

/** Which policy a page needs: pages with a wallet button let the provider's script in, all others let nobody in. */
export type PagePolicy = 'plain' | 'wallet'

/** The provider's published hosts. The emulator and other test providers stand on the origins of their own addresses. */
const publishedHosts = ['https://*.paypal.com', 'https://*.paypalobjects.com', 'https://*.venmo.com']

/**
 * For whatever is no page: opened by itself, or put into somebody's frame, it runs nothing, reaches nothing, and is of no origin.
 * What a page fetches is under the page's own policy, which this changes nothing about.
 */
export const closedPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox"

/** For files: browsers set styles in the document that they make around a picture, and drawings have their own. */
export const filePolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"

/** Headers that every answer of the shop carries; pages and files put a policy of their own in the place of this one. */
export function baseHeaders(secure: boolean): Record<string, string> {
  return {
    'Content-Security-Policy': closedPolicy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    ...(secure ? { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' } : {}),
  }
}

/**
 * Headers of a page.
 * @param nonce for the styles that the provider's script makes, fresh for every answer
 * @param leadsAway whether a form of the page leads to another shop, which may send its visitors on to anywhere
 */
export function pageHeaders(
  policy: PagePolicy,
  provider: ProviderAddresses | null,
  secure: boolean,
  nonce: string,
  leadsAway = false,
): Record<string, string> {
  const wallet = policy === 'wallet' && provider !== null
  return {
    ...baseHeaders(secure),
    'Content-Security-Policy': (wallet ? walletPolicy(provider, nonce) : plainPolicy).replace(
      "form-action 'self'",
      leadsAway ? "form-action 'self' https: http:" : "form-action 'self'",
    ),
    // The wallet's window must be able to answer the page that opened it.
    ...(wallet ? { 'Cross-Origin-Opener-Policy': 'same-origin-allow-popups' } : {}),
    'Permissions-Policy': permissions(wallet),
    'X-Frame-Options': 'DENY',
  }
}

/** Also for the pages that have a policy of their own. */
export const reportDirective = `report-uri ${policyReportPath}`

const common = `object-src 'none'; base-uri 'none'; frame-ancestors 'none'; ${reportDirective}`

const plainPolicy = [
  "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; form-action 'self'",
  common,
  "require-trusted-types-for 'script'; trusted-types vitrine",
].join('; ')

function walletPolicy(provider: ProviderAddresses, nonce: string): string {
  const hosts = providerHosts(provider)
  return [
    "default-src 'self'",
    `script-src 'self' ${hosts}`,
    `style-src 'self'${nonce ? ` 'nonce-${nonce}'` : ''}`,
    `img-src 'self' data: ${hosts}`,
    `connect-src 'self' ${hosts}`,
    `frame-src 'self' ${hosts}`,
    // Without scripts the form that starts a wallet payment is answered by a redirect to the provider.
    `form-action 'self' ${hosts}`,
    common,
  ].join('; ')
}

function providerHosts({ sdkUrl, webBase }: ProviderAddresses): string {
  const origins = new Set([new URL(sdkUrl).origin, new URL(webBase).origin])
  const own = [...origins].filter(
    (origin) => !/^https:\/\/([a-z0-9-]+\.)*(paypal|paypalobjects|venmo)\.com$/.test(origin),
  )
  return own.length > 0 ? own.join(' ') : publishedHosts.join(' ')
}

/** All that browsers let a page ask for and the shop never does, as far as Chromium knows the names: it warns of others. */
const neverUsed = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'display-capture',
  'encrypted-media',
  'gamepad',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'keyboard-map',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'picture-in-picture',
  'screen-wake-lock',
  'serial',
  'usb',
  'window-management',
  'xr-spatial-tracking',
]
/** What the provider's own frames may need where they are: a bank may ask its card's holder in one. */
const walletOnly = ['payment', 'publickey-credentials-get', 'fullscreen', 'storage-access']

function permissions(wallet: boolean): string {
  const off = wallet ? neverUsed : [...neverUsed, ...walletOnly]
  return [...off.map((name) => `${name}=()`), ...(wallet ? ['payment=*'] : [])].join(', ')
}
