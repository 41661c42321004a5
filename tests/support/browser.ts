import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { chromiumPath } from './browser/chromium.ts'

/** For every Chromium that a test or a bench starts. */
export const browserFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * For one test file: `beforeAll(async () => { browser = await aBrowser() })`, closed by the file too. Files of one worker share the
 * program behind it; what each has opened there is its own, and closed with it.
 * @param flags what this one is started with besides: then it is a program of its own
 */
export async function aBrowser(flags: readonly string[] = []): Promise<Browser> {
  if (flags.length > 0) return launch(flags)
  if (!shared?.isConnected()) shared = await launch([])
  return partOf(shared)
}

let shared: Browser | undefined

function launch(flags: readonly string[]): Promise<Browser> {
  const executablePath = chromiumPath()
  if (executablePath === null) throw new Error('no Chromium found: install one, or set CHROMIUM_PATH')
  return chromium.launch({ executablePath, headless: true, args: [...browserFlags, ...flags] })
}

/** A view of `browser` that knows, and closes, only the contexts that were opened through it. */
function partOf(browser: Browser): Browser {
  const own = new Set<BrowserContext>()
  const keep = (context: BrowserContext) => {
    own.add(context)
    context.once('close', () => own.delete(context))
    return context
  }
  const close = async () => {
    await Promise.all([...own].map((context) => context.close()))
  }
  const newContext: Browser['newContext'] = async (options) => keep(await browser.newContext(options))
  const newPage: Browser['newPage'] = async (options) => {
    const page = await browser.newPage(options)
    keep(page.context())
    return page
  }
  const part = { newContext, newPage, contexts: () => [...own], close, [Symbol.asyncDispose]: close }
  return new Proxy(browser, {
    get(target, name) {
      if (Object.hasOwn(part, name)) return Reflect.get(part, name)
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

export const desktop = { width: 1280, height: 900 } as const
export const phone = { width: 360, height: 740 } as const

export type VisitorOptions = Pick<
  BrowserContextOptions,
  'baseURL' | 'colorScheme' | 'deviceScaleFactor' | 'forcedColors' | 'javaScriptEnabled' | 'locale' | 'reducedMotion'
> & {
  readonly size?: typeof desktop | typeof phone
  /** Texts of errors that this journey provokes on purpose. */
  readonly expectedErrors?: readonly RegExp[]
}

export type Visitor = AsyncDisposable & {
  readonly page: Page
  /** What went wrong in the page so far: uncaught errors, console errors, refused content. A journey ends with `[]`. */
  readonly errors: readonly string[]
}

/** A new visitor: own cookies, empty storage, one page. */
export async function aVisitor(browser: Browser, options: VisitorOptions = {}): Promise<Visitor> {
  const { size = desktop, expectedErrors = [], ...rest } = options
  const context = await browser.newContext({
    viewport: size,
    // A document that a test answers itself has no network address: to Chromium all else on this machine is then another network.
    permissions: ['local-network-access'],
    ...(size === phone && { isMobile: true, hasTouch: true, deviceScaleFactor: 3 }),
    ...rest,
  })
  // For what hangs: on a busy machine a page takes its time.
  context.setDefaultTimeout(45_000)
  const errors: string[] = []
  const note = (text: string) => {
    if (!expectedErrors.some((expected) => expected.test(text))) errors.push(text)
  }
  // Every page, so that a wallet's pop-up counts as well.
  context.on('weberror', (error) => note(`uncaught: ${error.error().message}`))
  context.on('console', (message) => {
    if (message.type() === 'error') note(`console: ${message.text()} (${message.location().url})`)
  })
  const page = await context.newPage()
  return { page, errors, [Symbol.asyncDispose]: () => context.close() }
}

/**
 * For pages that nobody shall have touched: a browser without windows has its pointer in the corner and says so as the page
 * appears, now and then before it has loaded, though nobody has moved it.
 */
export async function pointerAtRest(page: Page): Promise<void> {
  await page.addInitScript(() =>
    addEventListener(
      'pointermove',
      (event) => event.clientX === 0 && event.clientY === 0 && event.stopImmediatePropagation(),
      { capture: true },
    ),
  )
}

/** Cookies of a visitor for every address of the shop: by the address of one page they would hold for what lies below it alone. */
export function forWholeShop<C extends { name: string; value: string }>(
  cookies: readonly C[],
  url: string,
): (C & { url: string })[] {
  return cookies.map((cookie) => ({ ...cookie, url: new URL('/', url).href }))
}
