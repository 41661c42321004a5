import type { z } from 'zod'
import { type Exchange, exchange } from '#paypal/exchange.ts'
import { retryAfterMs } from '#paypal/retry-after.ts'
import type { EngineTools, MachineAnswer, MachineTrouble } from './translation-engine.ts'

/** Sufficient for fifty paragraphs on a small server. */
const timeoutMs = 30_000

export type Refusal = Exchange & { kind: 'answer' }

type Call<Answer> = {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly schema: z.ZodType<Answer>
  /** Classifies a refusal of this engine where its status is ambiguous; null: the default meaning. */
  readonly readRefusal?: (refusal: Refusal) => MachineTrouble['kind'] | null
}

/** Calls a server once, and returns the result in the same form for all engines. */
export async function callEngine<Answer>(
  { clock, network }: Pick<EngineTools, 'clock' | 'network'>,
  { url, headers = {}, body, schema, readRefusal }: Call<Answer>,
): Promise<{ ok: true; value: Answer } | ({ ok: false } & MachineTrouble)> {
  const answer = await exchange(
    { clock, network },
    url,
    {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      reach: 'internet',
    },
    timeoutMs,
  )
  if (answer.kind === 'unreachable') return { ok: false, kind: 'failed', reason: answer.reason }
  if (answer.kind === 'lost') return { ok: false, kind: 'lost', reason: answer.reason }
  if (answer.status >= 200 && answer.status < 300) {
    const parsed = schema.safeParse(answer.body)
    if (parsed.success) return { ok: true, value: parsed.data }
    return {
      ok: false,
      kind: 'lost',
      reason: answer.unreadable ? `answer ${answer.unreadable}` : 'answer not understood',
    }
  }
  const { status } = answer
  const wait = retryAfterMs(answer.headers, clock.now())
  return {
    ok: false,
    kind: readRefusal?.(answer) ?? usualMeaning(status),
    reason: `HTTP ${status}`,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  }
}

function usualMeaning(status: number): MachineTrouble['kind'] {
  if (status === 429) return 'slow-down'
  if (status === 401 || status === 403) return 'key'
  if (status === 400 || status === 413 || status === 414 || status === 422) return 'refused'
  return 'failed'
}

/** The response must contain as many texts as were sent: a missing one cannot be identified. */
export function requireSameCount(sent: readonly string[], texts: readonly string[]): MachineAnswer {
  if (texts.length === sent.length) return { ok: true, texts }
  return { ok: false, kind: 'lost', reason: `${sent.length} texts sent, ${texts.length} came back` }
}

export const unsupportedLanguage = (language: string): MachineAnswer => ({
  ok: false,
  kind: 'language',
  reason: `${language} is not spoken`,
})
