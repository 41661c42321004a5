import { shortDigest } from '#shop/shared/digest.ts'
import type { Visit } from '../../http/visit.ts'

/** The parameters of an emailed link: the customer, and the key that proves that the email was read. */
export type MailedLink = { customerId: number; key: string }

/** Cookie that stores the key of a link for its form, so that no shown, logged or forwarded address contains it. */
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

/** Deletes the cookie if there is one. */
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
