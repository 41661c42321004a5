import { PaymentFailure } from './payment-failure.ts'

/** Parameters of the provider's script: those named `data-…` are attributes of its element, the others go into its address. */
export type SdkParameters = Readonly<Record<string, string>>

/** What the loader needs of the page it runs in. */
export type SdkHost<Sdk> = {
  /** Adds the script. Resolves when it has run, rejects when it was not loaded. */
  run(url: string, attributes: SdkParameters): Promise<Sdk>
  /** Fetches the script's address once more for the text of the refusal. Undefined when that fails as well. */
  errorText(url: string): Promise<string | undefined>
  /** Takes an instance and its script off the page. */
  destroy(sdk: Sdk): void
  announceCleanup(sdk: Sdk): void
  announceLoaded(sdk: Sdk, parameters: SdkParameters): void
  announceFailure(failure: PaymentFailure): void
}

export type SdkLoader<Sdk> = {
  /** The instance for these parameters. @throws PaymentFailure */
  load(parameters: SdkParameters): Promise<Sdk>
}

export const defaultSdkUrl = 'https://www.paypal.com/sdk/js'

/**
 * Keeps one instance of the provider's script on the page. Equal parameters share it; others replace it, one load after
 * the other, so that nobody is handed an instance with parameters that somebody else asked for.
 */
export function createSdkLoader<Sdk>(baseUrl: string | undefined, host: SdkHost<Sdk>): SdkLoader<Sdk> {
  const base = baseUrl || defaultSdkUrl
  let present: { key: string; sdk: Sdk } | undefined
  /** The last load that was asked for; the next begins when it has ended. */
  let last: { key: string; loading: Promise<Sdk> } | undefined

  async function loadNow(key: string, parameters: SdkParameters): Promise<Sdk> {
    if (present?.key === key) return present.sdk
    if (present) {
      host.announceCleanup(present.sdk)
      host.destroy(present.sdk)
      present = undefined
    }
    try {
      const sdk = await runOrRetry(base, parameters, host)
      present = { key, sdk }
      host.announceLoaded(sdk, parameters)
      return sdk
    } catch (error) {
      const failure = error instanceof PaymentFailure ? error : new PaymentFailure(String(error), { cause: error })
      host.announceFailure(failure)
      throw failure
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
      // A failure is not kept: whoever asks next tries again.
      entry.loading.catch(() => {
        if (last === entry) last = undefined
      })
      return entry.loading
    },
  }
}

/** A locale that the provider does not know costs the language of the button, not the button. */
async function runOrRetry<Sdk>(base: string, parameters: SdkParameters, host: SdkHost<Sdk>): Promise<Sdk> {
  try {
    return await runOnce(base, parameters, host)
  } catch (error) {
    if (!(error instanceof ScriptRefused) || error.about !== 'locale' || !parameters.locale) throw error
    const { locale: _, ...others } = parameters
    return runOnce(base, others, host)
  }
}

async function runOnce<Sdk>(base: string, parameters: SdkParameters, host: SdkHost<Sdk>): Promise<Sdk> {
  const url = scriptUrl(base, parameters)
  try {
    return await host.run(url, scriptAttributes(parameters))
  } catch (cause) {
    const said = refusalIn((await host.errorText(url)) ?? '')
    if (said === undefined) throw new PaymentFailure('The payment script did not load.', { cause })
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

/** Which parameter a refusal is about, by the provider's own text and nothing else: an address in it would name them all. */
export function refusedParameter(said: string): RefusedParameter | undefined {
  const text = said.toLowerCase()
  if (text.includes('client-id not recognized') || text.includes('invalid query value for client-id'))
    return 'client-id'
  if (text.includes('invalid query value for currency')) return 'currency'
  if (text.includes('locale')) return 'locale'
  return undefined
}

/** The provider's words in the body of a refusal, without its debug id; undefined when there are none. */
export function refusalIn(body: string): string | undefined {
  const original = /\/\*\s*Original Error:\s*([\s\S]*?)\s*\*\//.exec(body)?.[1]
  const thrown = /throw new Error\(\s*"SDK Validation error: '([\s\S]*?)'"\s*\)/.exec(body)?.[1]
  const said = (original || thrown)?.replace(/\s*\(debug id: [^)]*\)/i, '').trim()
  return said || undefined
}

export function scriptUrl(base: string, parameters: SdkParameters): string {
  const query = new URLSearchParams(
    sorted(parameters).filter(([name, value]) => !name.startsWith('data-') && value !== ''),
  )
  return `${base}?${query}`
}

function scriptAttributes(parameters: SdkParameters): SdkParameters {
  return Object.fromEntries(sorted(parameters).filter(([name, value]) => name.startsWith('data-') && value !== ''))
}

const keyOf = (parameters: SdkParameters) => JSON.stringify(sorted(parameters))

const sorted = (parameters: SdkParameters) => Object.entries(parameters).toSorted(([a], [b]) => (a < b ? -1 : 1))
