import { googleAnswer, googleRefusal } from '#contract/translation/machine-answers.ts'
import { callEngine, type Refusal, requireSameCount, unsupportedLanguage } from './call-engine.ts'
import { googleCode } from './engine-languages.ts'
import type { EngineTools, MachineEngine, MachineTrouble } from './translation-engine.ts'

/** Google Cloud Translation, the basic edition (v2). */
export function googleEngine(tools: EngineTools): MachineEngine {
  return {
    name: 'google',
    // The limit is 128 texts; calls of fifty are not slower, and a failure affects fewer texts.
    limits: { texts: 50, bytes: 100_000 },
    keeps: { plain: 'markup', element: 'span' },
    async translate(texts, { from, to }, as) {
      const [source, target] = [googleCode(from), googleCode(to)]
      if (!source || !target) return unsupportedLanguage(source ? to : from)
      const answer = await callEngine(tools, {
        url: `${tools.address || 'https://translation.googleapis.com'}/language/translate/v2`,
        // In a header, not in the URL, which proxies log.
        headers: { 'x-goog-api-key': tools.key },
        // The default format is HTML.
        body: { q: texts, source, target, format: as === 'text' ? 'text' : 'html' },
        schema: googleAnswer,
        readRefusal,
      })
      if (!answer.ok) return answer
      return requireSameCount(
        texts,
        answer.value.data.translations.map(({ translatedText }) => translatedText),
      )
    },
  }
}

/**
 * Reads the reason text, since the status is ambiguous: a used-up quota is a 403 like a wrong key, which may also be a
 * 400.
 */
function readRefusal({ body }: Refusal): MachineTrouble['kind'] | null {
  const refusal = googleRefusal.safeParse(body).data?.error
  if (!refusal) return null
  const reasons = [...refusal.errors, ...refusal.details].map(({ reason }) => reason ?? '')
  const has = (pattern: RegExp) => reasons.some((reason) => pattern.test(reason))
  if (has(/^dailyLimitExceeded/)) return 'quota'
  if (has(/rateLimitExceeded$|^RATE_LIMIT_EXCEEDED$/i)) return 'slow-down'
  if (has(/^(?:keyInvalid|keyExpired|API_KEY_\w+)$/) || /API key/i.test(refusal.message)) return 'key'
  if (/language pair/i.test(refusal.message)) return 'language'
  return null
}
