import { splitPath } from '#contract/translation/languages.ts'
import type { NoticeFacts } from '#shop/cart/cart-facts.ts'
import { closeFinishedPurchase } from '#shop/checkout/close-purchase.ts'
import type { SessionState } from '#shop/customers/sessions/session-state.ts'
import {
  changeSession,
  openCachedSession,
  openSession,
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

/** What is known of a request besides itself. */
export type VisitFacts = { readonly requestId: string; readonly ip: string }

const noHeaders = new Headers()

/**
 * One request and what belongs to the one who sent it. The session is read when it is first asked for, and changes of it
 * collect here so that the answer carries the right cookies.
 */
export class Visit {
  readonly app: Application
  /** As it came: its address has the words of its language. */
  readonly request: Request
  /** What is asked for, in the shop's own words. */
  readonly url: URL
  readonly requestId: string
  readonly ip: string
  /** The currency in which this visitor sees the shop; the view is in another one where paying is not possible in this. */
  readonly shownCurrency: string
  readonly #addresses: Addresses | null
  #session: Promise<VisitSession> | null = null
  #fields: ReturnType<typeof readFields> | null = null
  #cookies: string[] = []
  #told: readonly NoticeFacts[] = []
  #refusal: Refusal | null = null

  /**
   * @param addresses of the language of the view; null: the shop's own, where every path is as the shop knows it
   * @param url what is asked for, in the shop's own words; left out: as the request has it
   * @param shownCurrency left out: that of the view
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

  /** The same one asking for something else, of another view of the shop in the same language. */
  of(app: Application, request: Request, facts: VisitFacts): Visit {
    return new Visit(app, request, facts, this.#addresses, undefined, this.shownCurrency)
  }

  /** A stranger who asks for a page by its own address, in the shop's own words: nothing is left of what this visitor brought along. */
  ofNobody(path: string): Visit {
    // What frames a page reads no more of it, and a whole one for each page has to be collected.
    const request = { method: 'GET', url: new URL(this.path(path), this.url).href, headers: noHeaders } as Request
    const facts = { requestId: this.requestId, ip: this.ip }
    return new Visit(this.app, request, facts, this.#addresses, new URL(path, this.url))
  }

  /** A path of the shop in the language of this visit; one that names a language already stays, and so do other addresses. */
  path(path: string): string {
    return this.#addresses?.lead(path) ?? path
  }

  /** A path as a page of this language has it, as the shop itself knows it. */
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

  /** What was posted. The body is read once, whoever asks how often: a copy that nobody reads would hold the connection. */
  fields(): ReturnType<typeof readFields> {
    this.#fields ??= readFields(this.request)
    return this.#fields
  }

  session(): Promise<VisitSession> {
    const { tools, sessionCookie } = this.app
    this.#session ??= openSession(tools, this.cookie(sessionCookie)).then((session) =>
      closeFinishedPurchase(tools, session),
    )
    return this.#session
  }

  /** The session as it is remembered, while it has not been read. See `openCachedSession` for what may rest on it. */
  recalledSession(): VisitSession | null {
    return this.#session ? null : openCachedSession(this.app.tools, this.cookie(this.app.sessionCookie))
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

  /** Takes over a session that a use case has saved. */
  adopt(session: VisitSession): void {
    this.#session = Promise.resolve(session)
  }

  async addNotice(...notices: NoticeFacts[]): Promise<void> {
    if (notices.length === 0) return
    await this.change((state) => ({ state: { ...state, notices: [...state.notices, ...notices] }, result: undefined }))
  }

  /** The queued notices, each printed once: they are gone from the session afterwards. */
  async takeNotices(): Promise<readonly NoticeFacts[]> {
    if ((await this.session()).state.notices.length === 0) return []
    const notices = await this.change((state) => ({ state: { ...state, notices: [] }, result: state.notices }))
    // What two requests had to tell, as a form that was sent and the page that follows, is told once.
    return notices.filter(({ html }, at) => notices.findIndex((other) => other.html === html) === at)
  }

  /**
   * The notices of this request alone, which leave the session. A call takes only these: what another request left is for the
   * page that comes after that one, and an answer to a page that is being left would tell it to nobody.
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
    // One of several that a form may carry.
    else if (this.#refusal?.control === 'nonce') this.#refusal = null
    return fits
  }

  isNonceIn(session: VisitSession, candidate: unknown, action: string): boolean {
    return isNonce(this.app.secret, candidate, action, sessionOwner(session), this.now)
  }

  /** A control stands in the way of this request: the log is told when it is answered. @param of a call, a form, a kind of thing */
  refuse(control: Control, of: string): void {
    this.#refusal = { control, of }
  }

  get refusal(): Refusal | null {
    return this.#refusal
  }

  /** The one who has logged in, or null. */
  async customerId(): Promise<number | null> {
    return this.hasSessionCookie ? (await this.session()).customerId : null
  }

  /** Takes the session's cookie back: the visitor is a stranger from now on. */
  forget(session: VisitSession): void {
    const { sessionCookie, secure } = this.app
    const security = secure ? '; Secure' : ''
    this.setCookie(`${sessionCookie}=; Path=/; HttpOnly; SameSite=Lax${security}; Max-Age=0`)
    this.adopt(session)
  }

  setCookie(cookie: string): void {
    this.#cookies.push(cookie)
  }

  /** The cookies that this visit's answer must carry. */
  async cookies(): Promise<readonly string[]> {
    // One that could not be opened is why the answer is an apology, and has nothing to add to it.
    const session = await this.#session?.catch(() => null)
    if (!session) return this.#cookies
    const cookies = [...this.#cookies]
    const { sessionCookie, secure } = this.app
    const security = secure ? '; Secure' : ''
    if (session.cookieDue && session.expiresAt) {
      // A login that is not to be remembered ends with the browser, or when its time is over.
      const lasting = session.customerId === null || session.remember
      const expires = lasting ? `; Expires=${session.expiresAt.toUTCString()}` : ''
      cookies.push(`${sessionCookie}=${session.token}; Path=/; HttpOnly; SameSite=Lax${security}${expires}`)
    }
    // A page that anybody may share is made private while there is something to tell this visitor.
    const told = this.cookie(noticesCookie) !== undefined
    if (session.state.notices.length > 0 && !told) cookies.push(`${noticesCookie}=1; Path=/; SameSite=Lax${security}`)
    if (session.state.notices.length === 0 && told) cookies.push(`${noticesCookie}=; Path=/; Max-Age=0${security}`)
    return cookies
  }
}

/** Says that the session holds notices, so that a visitor without any gets pages from the cache. It carries no authority. */
export const noticesCookie = 'vitrine_notices'

/** The list without one of each; what another request has taken meanwhile is missing already. */
function withoutEach(notices: readonly NoticeFacts[], taken: readonly NoticeFacts[]): readonly NoticeFacts[] {
  const left = [...notices]
  for (const { kind, html } of taken) {
    const at = left.findLastIndex((notice) => notice.kind === kind && notice.html === html)
    if (at >= 0) left.splice(at, 1)
  }
  return left
}
