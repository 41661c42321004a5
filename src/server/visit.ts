import type { NoticeFacts } from '#shop/cart-facts.ts'
import type { SessionState } from '#shop/session-state.ts'
import { closeAwaited } from '#shop/submit-checkout.ts'
import { changeSession, openSession, sessionOwner, type VisitSession } from '#shop/visit-session.ts'
import type { Application } from './application.ts'
import { isNonce, nonceFor } from './nonce.ts'
import { readFields } from './request-body.ts'

/**
 * One request and what belongs to the one who sent it. The session is read when it is first asked for, and changes of it
 * collect here so that the answer carries the right cookies.
 */
export class Visit {
  readonly app: Application
  readonly request: Request
  readonly url: URL
  readonly requestId: string
  readonly ip: string
  #session: Promise<VisitSession> | null = null
  #fields: ReturnType<typeof readFields> | null = null
  #cookies: string[] = []

  constructor(app: Application, request: Request, facts: { requestId: string; ip: string }) {
    this.app = app
    this.request = request
    this.url = new URL(request.url)
    this.requestId = facts.requestId
    this.ip = facts.ip
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
    this.#session ??= openSession(tools, this.cookie(sessionCookie)).then((session) => closeAwaited(tools, session))
    return this.#session
  }

  async change<Result>(change: (state: SessionState) => { state: SessionState; result: Result }): Promise<Result> {
    const { session, result } = await changeSession(this.app.tools, await this.session(), change)
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
    return this.change((state) => ({ state: { ...state, notices: [] }, result: state.notices }))
  }

  async nonce(action: string): Promise<string> {
    return nonceFor(this.app.secret, action, sessionOwner(await this.session()), this.now)
  }

  async isNonce(candidate: unknown, action: string): Promise<boolean> {
    return isNonce(this.app.secret, candidate, action, sessionOwner(await this.session()), this.now)
  }

  setCookie(cookie: string): void {
    this.#cookies.push(cookie)
  }

  /** The cookies that this visit's answer must carry. */
  async cookies(): Promise<readonly string[]> {
    if (!this.#session) return this.#cookies
    const session = await this.#session
    const cookies = [...this.#cookies]
    const { sessionCookie, secure } = this.app
    const security = secure ? '; Secure' : ''
    if (session.cookieDue && session.expiresAt) {
      cookies.push(
        `${sessionCookie}=${session.token}; Path=/; HttpOnly; SameSite=Lax${security}; Expires=${session.expiresAt.toUTCString()}`,
      )
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
