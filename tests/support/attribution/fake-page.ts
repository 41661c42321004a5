import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import vm from 'node:vm'

/** A browser's cookies as far as a tracker meets them: domains, expiry, one size limit, the order of creation. */
export class CookieJar {
  #cookies = new Map<string, { name: string; value: string; domain: string; alone: boolean; expires: number }>()
  /** Every text that was set, in order. */
  writes: string[] = []

  /** Like `document.cookie = text`. */
  set(text: string, host: string, now: number): void {
    this.writes.push(text)
    const [pair = '', ...attributes] = text.split(';')
    const at = pair.indexOf('=')
    const [name, value] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
    const attribute = (key: string) =>
      attributes
        .map((one) => one.trim())
        .find((one) => one.startsWith(`${key}=`))
        ?.slice(key.length + 1)
    const domain = attribute('domain')?.replace(/^\./, '')
    const expires = attribute('expires')
    if (name.length + value.length > 4096) return
    if (domain !== undefined && `.${host}`.endsWith(`.${domain}`) === false) return
    const key = `${name};${domain ?? host};${domain === undefined}`
    const until = expires === undefined ? Number.POSITIVE_INFINITY : Date.parse(expires)
    if (until <= now) this.#cookies.delete(key)
    else this.#cookies.set(key, { name, value, domain: domain ?? host, alone: domain === undefined, expires: until })
  }

  /** Like `document.cookie`. */
  get(host: string, now: number): string {
    return [...this.#cookies.values()]
      .filter((one) => one.expires > now && (one.alone ? one.domain === host : `.${host}`.endsWith(`.${one.domain}`)))
      .map((one) => `${one.name}=${one.value}`)
      .join('; ')
  }

  copy(): CookieJar {
    const jar = new CookieJar()
    jar.#cookies = new Map(this.#cookies)
    return jar
  }
}

/** A clock in a zone without daylight saving time: what a Date says of local time does not depend on the machine. */
export function dateClass(now: () => number, minutesAheadOfUtc: () => number) {
  return class extends Date {
    constructor(...args: [] | [number]) {
      super(args.length === 0 ? now() : args[0])
    }
    #local = () => new Date(this.getTime() + minutesAheadOfUtc() * 60_000)
    override getTimezoneOffset = () => -minutesAheadOfUtc()
    override getFullYear = () => this.#local().getUTCFullYear()
    override getMonth = () => this.#local().getUTCMonth()
    override getDate = () => this.#local().getUTCDate()
    override getHours = () => this.#local().getUTCHours()
    override getMinutes = () => this.#local().getUTCMinutes()
    override getSeconds = () => this.#local().getUTCSeconds()
    override setHours = (hours: number) => {
      const local = this.#local()
      local.setUTCHours(hours)
      return this.setTime(local.getTime() - minutesAheadOfUtc() * 60_000)
    }
  }
}

/** What a page is to scripts. */
export type FakePage = {
  href: string
  referrer: string
  agent: string
  now: number
  minutesAheadOfUtc: number
  chance: number
  jar: CookieJar
}

/** sourcebuster as published, in a browser that is as the page says at that moment. */
export function sourcebuster(page: FakePage): { init(options: object): unknown } {
  const location = {
    get href() {
      return page.href
    },
    get hostname() {
      return new URL(page.href).hostname
    },
    get search() {
      return /^[^?#]*(\?[^#]*)/.exec(page.href)?.[1] ?? ''
    },
  }
  const document = {
    location,
    get referrer() {
      return page.referrer
    },
    get cookie() {
      return page.jar.get(location.hostname, page.now)
    },
    set cookie(text: string) {
      page.jar.set(text, location.hostname, page.now)
    },
  }
  const navigator = {
    get userAgent() {
      return page.agent
    },
  }
  const PageDate = dateClass(
    () => page.now,
    () => page.minutesAheadOfUtc,
  )
  const chance = () => page.chance
  const window: Record<string, unknown> = { document, location, navigator, Date: PageDate, chance }
  window.window = window
  vm.createContext(window)
  vm.runInContext('Math.random = chance', window)
  const file = createRequire(import.meta.url).resolve('sourcebuster/dist/sourcebuster.js')
  vm.runInContext(readFileSync(file, 'utf8'), window)
  // Proof of the cast: the script defines this object.
  const sbjs = window.sbjs as { init(options: object): void; get: unknown }
  return {
    init(options) {
      sbjs.init(options)
      return sbjs.get
    },
  }
}
