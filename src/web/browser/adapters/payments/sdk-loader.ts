import { PaymentFailure } from './payment-failure.ts'

/**
 * Parameters of the provider's script: names with `data-` are attributes of its element, all others part of its URL.
 */
export type SdkParameters = Readonly<Record<string, string>>

/** The page functions that the loader needs. */
export type SdkHost<Sdk> = {
  /**
   * Adds the script. Resolves when it has run, rejects when it did not load: with a PaymentFailure where the provider's
   * refusal has no text to request.
   */
  run(url: string, attributes: SdkParameters): Promise<Sdk>
  /** Treats the pending script as failed, and prevents it from running later. */
  giveUp(): void
  /** Requests the script's URL again for the text of the refusal. Undefined when that fails as well. */
  errorText(url: string): Promise<string | undefined>
  /** Removes an instance and its script from the page. */
  destroy(sdk: Sdk): void
  announceCleanup(sdk: Sdk): void
  announceLoaded(sdk: Sdk, parameters: SdkParameters): void
  announceFailure(failure: PaymentFailure): void
}

export type SdkLoader<Sdk> = {
  /** Returns the instance for these parameters. @throws PaymentFailure */
  load(parameters: SdkParameters): Promise<Sdk>
  /** Reports that an operation of this instance has failed. */
  doubt(sdk: Sdk): void
  /** Retries: the next load uses neither the pending script nor an instance that failed. */
  startOver(): void
}

export const notLoaded = 'The payment script did not load.'

export const defaultSdkUrl = 'https://www.paypal.com/sdk/js'

/**
 * Keeps a single instance of the provider's script on the page. Equal parameters share it; others replace it. Loads run
 * one at a time, so that no caller receives an instance with the parameters of another.
 */
export function createSdkLoader<Sdk>(baseUrl: string | undefined, host: SdkHost<Sdk>): SdkLoader<Sdk> {
  const base = baseUrl || defaultSdkUrl
  let present: { key: string; sdk: Sdk } | undefined
  /** The last requested load; the next begins when it has ended. */
  let last: { key: string; loading: Promise<Sdk> } | undefined
  let running = false
  let doubted: Sdk | undefined
  /** The number of retries. */
  let turn = 0

  function takeAway({ sdk }: { sdk: Sdk }): void {
    host.announceCleanup(sdk)
    host.destroy(sdk)
    present = undefined
  }

  async function loadNow(key: string, parameters: SdkParameters): Promise<Sdk> {
    if (present?.key === key) return present.sdk
    if (present) takeAway(present)
    running = true
    try {
      const sdk = await runOrRetry(base, parameters, turn, host)
      present = { key, sdk }
      host.announceLoaded(sdk, parameters)
      return sdk
    } catch (error) {
      const failure = error instanceof PaymentFailure ? error : new PaymentFailure(String(error), { cause: error })
      host.announceFailure(failure)
      throw failure
    } finally {
      running = false
    }
  }

  return {
    load(parameters) {
      const key = keyOf(parameters)
      if (last?.key === key) return last.loading
      const before = last?.loading ?? Promise.resolve()
      const begin = () => loadNow(key, parameters)
      const entry = { key, loading: before.then(begin, begin) }
      last = entry
      // A failure is not cached: the next call retries.
      entry.loading.catch(() => {
        if (last === entry) last = undefined
      })
      return entry.loading
    },
    doubt(sdk) {
      doubted = sdk
    },
    startOver() {
      turn += 1
      if (running) {
        host.giveUp()
        // An aborted load settles in a moment: no new caller may join it, and the next load follows it.
        if (last) last = { ...last, key: '' }
      } else if (present && present.sdk === doubted) {
        takeAway(present)
        last = undefined
      }
    },
  }
}

/** A locale that the provider does not support changes the button's language, but must not cost the button. */
async function runOrRetry<Sdk>(
  base: string,
  parameters: SdkParameters,
  turn: number,
  host: SdkHost<Sdk>,
): Promise<Sdk> {
  try {
    return await runOnce(base, parameters, turn, host)
  } catch (error) {
    if (!(error instanceof ScriptRefused) || error.about !== 'locale' || !parameters.locale) throw error
    const { locale: _, ...others } = parameters
    return runOnce(base, others, turn, host)
  }
}

async function runOnce<Sdk>(base: string, parameters: SdkParameters, turn: number, host: SdkHost<Sdk>): Promise<Sdk> {
  const url = scriptUrl(base, parameters, turn)
  try {
    return await host.run(url, scriptAttributes(parameters))
  } catch (cause) {
    if (cause instanceof PaymentFailure) throw cause
    const said = refusalIn((await host.errorText(url)) ?? '')
    if (said === undefined) throw new PaymentFailure(notLoaded, { cause })
    throw new ScriptRefused(said, cause)
  }
}

/** The provider answered with a refusal in place of its script. */
class ScriptRefused extends PaymentFailure {
  readonly about: RefusedParameter | undefined

  constructor(said: string, cause: unknown) {
    const about = refusedParameter(said)
    super(said, about === 'client-id' ? { code: 'invalid_client_id', cause } : { cause })
    this.about = about
  }
}

export type RefusedParameter = 'locale' | 'client-id' | 'currency'

/** Returns the refused parameter, from the provider's own text only: a URL in it would name all parameters. */
export function refusedParameter(said: string): RefusedParameter | undefined {
  const text = said.toLowerCase()
  if (text.includes('client-id not recognized') || text.includes('invalid query value for client-id'))
    return 'client-id'
  if (text.includes('invalid query value for currency')) return 'currency'
  if (text.includes('locale')) return 'locale'
  return undefined
}

/** Returns the provider's text in the body of a refusal, without its debug id; undefined without a text. */
export function refusalIn(body: string): string | undefined {
  const original = /\/\*\s*Original Error:\s*([\s\S]*?)\s*\*\//.exec(body)?.[1]
  const thrown = /throw new Error\(\s*"SDK Validation error: '([\s\S]*?)'"\s*\)/.exec(body)?.[1]
  const said = (original || thrown)?.replace(/\s*\(debug id: [^)]*\)/i, '').trim()
  return said || undefined
}

/**
 * @param turn moves so many parameters from the start to the end: a browser with a pending request or a cached response
 * for a URL does not request it again, and an additional parameter would be refused
 */
export function scriptUrl(base: string, parameters: SdkParameters, turn = 0): string {
  const asked = sorted(parameters).filter(([name, value]) => !name.startsWith('data-') && value !== '')
  const moved = turn % Math.max(asked.length, 1)
  return `${base}?${new URLSearchParams([...asked.slice(moved), ...asked.slice(0, moved)])}`
}

function scriptAttributes(parameters: SdkParameters): SdkParameters {
  return Object.fromEntries(sorted(parameters).filter(([name, value]) => name.startsWith('data-') && value !== ''))
}

const keyOf = (parameters: SdkParameters) => JSON.stringify(sorted(parameters))

const sorted = (parameters: SdkParameters) => Object.entries(parameters).toSorted(([a], [b]) => (a < b ? -1 : 1))
