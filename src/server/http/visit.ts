import { splitPath } from '#contract/translation/languages.ts'
import type { NoticeFacts } from '#shop/cart/cart-facts.ts'
import { closeFinishedPurchase } from '#shop/checkout/close-purchase.ts'
import type { SessionState } from '#shop/customers/sessions/session-state.ts'
import {
  changeSession,
  openSession,
  openSessionOfDevice,
  sessionOwner,
  type VisitSession,
} from '#shop/customers/sessions/visit-session.ts'
import type { Commit } from '#shop/shared/tools.ts'
import type { Addresses } from '#shop/translation/localized-paths.ts'
import type { Application } from '../operations/startup/application.ts'
import { clientAddress } from './request/client-address.ts'
import { readFields } from './request/request-body.ts'
import { isNonce, nonceFor } from './security/nonce.ts'
import type { Control } from './security/security-control.ts'

type Refusal = { readonly control: Control; readonly of: string }

/** Facts about the request that are not in its headers or URL. */
export type VisitFacts = { readonly requestId: string; readonly ip: string }

const noHeaders = new Headers()

/**
 * One request and the state of its visitor. The session is read on first use, and its changes are collected here, so
 * that the response carries the right cookies.
 */
export class Visit {
  readonly app: Application
  /** The request as received: its path is localized. */
  readonly request: Request
  /** The requested address in the shop's own language. */
  readonly url: URL
  readonly requestId: string
  readonly ip: string
  /**
   * The currency in which this visitor sees the shop; `app` has another one where payment in this one is not possible.
   */
  readonly shownCurrency: string
  readonly #addresses: Addresses | null
  #session: Promise<VisitSession> | null = null
  #fields: ReturnType<typeof readFields> | null = null
  #cookies: string[] = []
  #told: readonly NoticeFacts[] = []
  #refusal: Refusal | null = null
  #isByToken = false

  /**
   * @param addresses localized paths of the language of `app`; null: the shop's own language
   * @param url the requested address in the shop's own language; absent: the request's URL
   * @param shownCurrency absent: the currency of `app`
   */
  constructor(
    app: Application,
    request: Request,
    facts: VisitFacts,
    addresses: Addresses | null = null,
    url: URL = new URL(request.url),
    shownCurrency: string = app.tools.settings.currency,
  ) {
    this.app = app
    this.request = request
    this.url = url
    this.requestId = facts.requestId
    this.ip = clientAddress(facts.ip, request.headers.get('x-forwarded-for'), app.trustedProxies)
    this.#addresses = addresses
    this.shownCurrency = shownCurrency
  }

  /** Returns a visit of the same visitor with another request and another view of the shop in the same language. */
  of(app: Application, request: Request, facts: VisitFacts): Visit {
    return new Visit(app, request, facts, this.#addresses, undefined, this.shownCurrency)
  }

  /** Returns an anonymous visit of a page by its path in the shop's own language, without data of this visitor. */
  asAnonymous(path: string): Visit {
    // Page frames read nothing else of a request, and a real `Request` for each page costs garbage collection.
    const request = { method: 'GET', url: new URL(this.path(path), this.url).href, headers: noHeaders } as Request
    const facts = { requestId: this.requestId, ip: this.ip }
    return new Visit(this.app, request, facts, this.#addresses, new URL(path, this.url))
  }

  /**
   * Returns a path of the shop in the language of this visit. A path that names a language, and any other address,
   * stays unchanged.
   */
  path(path: string): string {
    return this.#addresses?.lead(path) ?? path
  }

  /** Returns a localized path of this language as the shop's own path. */
  ownPath(path: string): string {
    if (!this.#addresses) return path
    const { language, path: rest } = splitPath([this.app.language], path)
    return language ? this.#addresses.known(rest) : path
  }

  get now(): Date {
    return this.app.tools.clock.now()
  }

  get userAgent(): string {
    return (this.request.headers.get('user-agent') ?? '').slice(0, 500)
  }

  cookie(name: string): string | undefined {
    for (const pair of (this.request.headers.get('cookie') ?? '').split(';')) {
      const at = pair.indexOf('=')
      if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
    }
    return undefined
  }

  get hasSessionCookie(): boolean {
    return this.cookie(this.app.sessionCookie) !== undefined
  }

  /**
   * Returns the parsed form body, read once and cached: an unread copy of the body would hold the connection.
   * @param maxBytes for authenticated programs, whose batches are larger than forms
   * @param listName member for the entries of a JSON array, where a call accepts one
   */
  fields(maxBytes?: number, listName?: string): ReturnType<typeof readFields> {
    this.#fields ??= readFields(this.request, maxBytes, listName)
    return this.#fields
  }

  session(): Promise<VisitSession> {
    const { tools, sessionCookie } = this.app
    this.#session ??= openSession(tools, this.cookie(sessionCookie)).then((session) =>
      closeFinishedPurchase(tools, session),
    )
    return this.#session
  }

  /**
   * Uses the session of a device that the request names by a signed token. Cookies of the request do not count, and the
   * response sets none.
   */
  adoptDevice(device: string): void {
    const { tools } = this.app
    this.#isByToken = true
    this.#session = openSessionOfDevice(tools, device).then((session) => closeFinishedPurchase(tools, session))
  }

  /** True if a signed token names the session instead of the cookie. */
  get isByToken(): boolean {
    return this.#isByToken
  }

  async change<Result>(
    change: (state: SessionState) => { state: SessionState; result: Result },
    step?: Commit,
  ): Promise<Result> {
    let told: readonly NoticeFacts[] = []
    const noting = (before: SessionState) => {
      const next = change(before)
      told = next.state.notices.slice(before.notices.length)
      return next
    }
    const { session, result } = await changeSession(this.app.tools, await this.session(), noting, step)
    this.#told = [...this.#told, ...told]
    this.adopt(session)
    return result
  }

  /** Replaces the session by one that a use case has saved. */
  adopt(session: VisitSession): void {
    this.#session = Promise.resolve(session)
  }

  async addNotice(...notices: NoticeFacts[]): Promise<void> {
    if (notices.length === 0) return
    await this.change((state) => ({ state: { ...state, notices: [...state.notices, ...notices] }, result: undefined }))
  }

  /** Takes all queued notices out of the session, each returned once. */
  async takeNotices(): Promise<readonly NoticeFacts[]> {
    if ((await this.session()).state.notices.length === 0) return []
    const notices = await this.change((state) => ({ state: { ...state, notices: [] }, result: state.notices }))
    // Two requests may queue the same notice, as a posted form and the page that follows: it is shown once.
    return notices.filter(({ html }, at) => notices.findIndex((other) => other.html === html) === at)
  }

  /**
   * Takes only the notices that this request queued. Calls use it: notices of another request belong to the page that
   * follows that request, and a response to a page that is being left would lose them.
   */
  async takeOwnNotices(): Promise<readonly NoticeFacts[]> {
    const own = this.#told
    if (own.length === 0) return []
    this.#told = []
    return this.change((state) => ({ state: { ...state, notices: withoutEach(state.notices, own) }, result: own }))
  }

  async nonce(action: string): Promise<string> {
    return this.nonceIn(await this.session(), action)
  }

  nonceIn(session: VisitSession, action: string): string {
    return nonceFor(this.app.secret, action, sessionOwner(session), this.now)
  }

  async isNonce(candidate: unknown, action: string): Promise<boolean> {
    const fits = this.isNonceIn(await this.session(), candidate, action)
    if (!fits) this.refuse('nonce', action)
    // A form may carry several nonces; one of them is valid.
    else if (this.#refusal?.control === 'nonce') this.#refusal = null
    return fits
  }

  isNonceIn(session: VisitSession, candidate: unknown, action: string): boolean {
    return isNonce(this.app.secret, candidate, action, sessionOwner(session), this.now)
  }

  /** Rejects this request by a control; it is logged with the response. @param of the call, form or resource */
  refuse(control: Control, of: string): void {
    this.#refusal = { control, of }
  }

  get refusal(): Refusal | null {
    return this.#refusal
  }

  /** Returns the logged-in customer's id, or null. */
  async customerId(): Promise<number | null> {
    return this.hasSessionCookie || this.#isByToken ? (await this.session()).customerId : null
  }

  /** Deletes the session's cookie: the visitor is anonymous from now on. */
  forget(session: VisitSession): void {
    const { sessionCookie, secure } = this.app
    const security = secure ? '; Secure' : ''
    this.setCookie(`${sessionCookie}=; Path=/; HttpOnly; SameSite=Lax${security}; Max-Age=0`)
    this.adopt(session)
  }

  setCookie(cookie: string): void {
    this.#cookies.push(cookie)
  }

  /** Returns the cookies that this visit's response must set. */
  async cookies(): Promise<readonly string[]> {
    if (this.#isByToken) return []
    // A session that could not be read is the reason of this error page; it has no cookies.
    const session = await this.#session?.catch(() => null)
    if (!session) return this.#cookies
    const cookies = [...this.#cookies]
    const { sessionCookie, secure } = this.app
    const security = secure ? '; Secure' : ''
    if (session.cookieDue && session.expiresAt) {
      // A login without "remember me" ends with the browser, or when it expires.
      const lasting = session.customerId === null || session.remember
      const expires = lasting ? `; Expires=${session.expiresAt.toUTCString()}` : ''
      cookies.push(`${sessionCookie}=${session.token}; Path=/; HttpOnly; SameSite=Lax${security}${expires}`)
    }
    // A shareable page becomes private while there is a notice for this visitor.
    const told = this.cookie(noticesCookie) !== undefined
    if (session.state.notices.length > 0 && !told) cookies.push(`${noticesCookie}=1; Path=/; SameSite=Lax${security}`)
    if (session.state.notices.length === 0 && told) cookies.push(`${noticesCookie}=; Path=/; Max-Age=0${security}`)
    return cookies
  }
}

/** Marks that the session has notices; without it a visitor gets pages from the cache. It grants no authority. */
export const noticesCookie = 'vitrine_notices'

/** Returns the list without one occurrence of each taken notice; a concurrent request may have taken some already. */
function withoutEach(notices: readonly NoticeFacts[], taken: readonly NoticeFacts[]): readonly NoticeFacts[] {
  const left = [...notices]
  for (const { kind, html } of taken) {
    const at = left.findLastIndex((notice) => notice.kind === kind && notice.html === html)
    if (at >= 0) left.splice(at, 1)
  }
  return left
}
