import type { PurgeSettings } from './purge-requests.ts'

/** The environment variables of CDN purges. */
type Given = {
  readonly CDN_PURGE?: PurgeSettings['way'] | undefined
  readonly CDN_PURGE_URL?: readonly string[] | undefined
  readonly CDN_PURGE_TOKEN?: string | undefined
}

const withoutSlash = (address: string) => address.replace(/\/+$/, '')

export function purgeSettings({ CDN_PURGE: way, CDN_PURGE_URL: urls = [], CDN_PURGE_TOKEN: token }: Given) {
  return way ? { way, addresses: urls.map(withoutSlash), token: token ?? null } : null
}

/** The form of a service's API URL, where it has one. */
const apis: Readonly<Record<string, { readonly path: RegExp; readonly like: string }>> = {
  fastly: { path: /^\/service\/\w+\/*$/, like: 'https://api.fastly.com/service/<id>' },
  cloudflare: { path: /^\/client\/v4\/zones\/\w+\/*$/, like: 'https://api.cloudflare.com/client/v4/zones/<id>' },
}

/**
 * Returns one line for each setting that is missing or contradicts the others. A line never contains the value: the URL
 * of a cache may contain secrets.
 * @param given the settings as they were written
 */
export function purgeFaults(set: Given, given: Readonly<Record<string, string | undefined>>): readonly string[] {
  const { CDN_PURGE: way, CDN_PURGE_URL: urls = [], CDN_PURGE_TOKEN: token } = set
  if (!way) {
    // An invalid value is reported elsewhere.
    if (given.CDN_PURGE !== undefined) return []
    return ['CDN_PURGE_URL', 'CDN_PURGE_TOKEN']
      .filter((name) => given[name] !== undefined)
      .map((name) => `${name} is of no use without CDN_PURGE: fastly, cloudflare or varnish`)
  }
  const api = apis[way]
  return [
    ...(Number(given.CDN_SECONDS ?? 0) === 0
      ? ['CDN_SECONDS is needed with CDN_PURGE: without it no cache keeps a page']
      : []),
    ...(urls.length === 0 ? [`CDN_PURGE_URL is needed with CDN_PURGE: ${api?.like ?? 'http://10.0.0.5:6081'}`] : []),
    ...(api && urls.length > 1 ? [`CDN_PURGE_URL must be one address with CDN_PURGE ${way}`] : []),
    ...urls.flatMap((address) => addressFault(address, api)).filter((fault, at, all) => all.indexOf(fault) === at),
    ...tokenFaults(way, token, given),
  ]
}

function addressFault(address: string, api: { path: RegExp; like: string } | undefined): readonly string[] {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol)) return ['CDN_PURGE_URL must be an address like http://10.0.0.5:6081']
  if (url.username || url.password) return ['CDN_PURGE_URL must hold no name or password: CDN_PURGE_TOKEN is for that']
  if (url.search || url.hash) return ['CDN_PURGE_URL must end with its path']
  // Plain HTTP would send the token unencrypted.
  if (api && !(url.protocol === 'https:' && api.path.test(url.pathname)))
    return [`CDN_PURGE_URL must look like ${api.like}`]
  return []
}

function tokenFaults(way: string, token: string | undefined, given: Readonly<Record<string, string | undefined>>) {
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    return ['CDN_PURGE_TOKEN must be letters, digits and signs without spaces']
  const needed = apis[way] !== undefined && given.CDN_PURGE_TOKEN === undefined
  // An unreadable token file is reported elsewhere.
  if (!needed || given.CDN_PURGE_TOKEN_FILE !== undefined) return []
  return [`CDN_PURGE_TOKEN is needed with CDN_PURGE ${way}`]
}
