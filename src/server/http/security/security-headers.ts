import { policyReportPath } from '#contract/operations/csp-report.ts'
import type { ProviderAddresses } from '../../operations/startup/application.ts'

/**
 * The content security policy of a page: pages with a wallet button allow the provider's script, others allow no
 * foreign script.
 */
export type PagePolicy = 'plain' | 'wallet'

/**
 * The provider's published hosts. The emulator and other test providers use the origins of their configured addresses.
 */
const publishedHosts = ['https://*.paypal.com', 'https://*.paypalobjects.com', 'https://*.venmo.com']

/**
 * Policy of responses that are not pages: opened directly or in a frame, they run and load nothing, with an opaque
 * origin. It has no effect on resources that a page fetches under its own policy.
 */
export const closedPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox"

/**
 * Policy of files: browsers add inline styles to the document that they create around an image, and SVG files contain
 * styles.
 */
export const filePolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"

/** Returns the headers of every response; pages and files replace the policy by their own. */
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
 * Returns the headers of a page.
 * @param nonce for styles created by the provider's script, fresh for every response
 * @param leadsAway whether a form of the page posts to another shop, which may redirect anywhere
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
    // The wallet's window must be able to message the page that opened it.
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
    // Without scripts, the form that starts a wallet payment is answered by a redirect to the provider.
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

/** Features that the shop never uses, as far as Chromium knows the names: it warns of unknown ones. */
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
/** Features that the provider's frames may need: a bank may use them to authenticate the cardholder. */
const walletOnly = ['payment', 'publickey-credentials-get', 'fullscreen', 'storage-access']

function permissions(wallet: boolean): string {
  const off = wallet ? neverUsed : [...neverUsed, ...walletOnly]
  return [...off.map((name) => `${name}=()`), ...(wallet ? ['payment=*'] : [])].join(', ')
}
