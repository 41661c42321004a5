import { shortDigest } from '#shop/shared/digest.ts'
import type { Visit } from '../../http/visit.ts'

/** What a mailed link brings along: whose it is, and the key that proves that the message was read. */
export type MailedLink = { customerId: number; key: string }

/** Where the key of a link waits for its form, so that it stands in no address that is shown, logged or sent on. */
export type LinkCookie = { name: string; path: string }

export function linkInAddress({ url }: Visit): MailedLink | null {
  return parseLink(`${url.searchParams.get('id') ?? ''}:${url.searchParams.get('key') ?? ''}`)
}

export function linkInCookie(visit: Visit, cookie: LinkCookie): MailedLink | null {
  return parseLink((visit.cookie(cookieName(visit, cookie)) ?? '').replace('%3A', ':'))
}

export function keepLink(visit: Visit, cookie: LinkCookie, { customerId, key }: MailedLink): void {
  setCookie(visit, cookie, `${customerId}%3A${key}`, '')
}

/** Takes the cookie back where there is one. */
export function dropLink(visit: Visit, cookie: LinkCookie): void {
  if (visit.cookie(cookieName(visit, cookie)) !== undefined) setCookie(visit, cookie, '', '; Max-Age=0')
}

function setCookie(visit: Visit, cookie: LinkCookie, value: string, life: string): void {
  const security = visit.app.secure ? '; Secure' : ''
  const name = cookieName(visit, cookie)
  visit.setCookie(`${name}=${value}; Path=${visit.path(cookie.path)}; HttpOnly; SameSite=Lax${security}${life}`)
}

const cookieName = ({ app }: Visit, { name }: LinkCookie) => `${name}-${shortDigest(app.tools.publicUrl)}`

function parseLink(text: string): MailedLink | null {
  const [, id, key] = /^([1-9]\d{0,14}):([A-Za-z0-9]{40})$/.exec(text) ?? []
  return id && key ? { customerId: Number(id), key } : null
}
