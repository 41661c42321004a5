import { googleAnswer, googleRefusal } from '#contract/translation/machine-answers.ts'
import { callEngine, type Refusal, requireSameCount, unsupportedLanguage } from './call-engine.ts'
import { googleCode } from './engine-languages.ts'
import type { EngineTools, MachineEngine, MachineTrouble } from './translation-engine.ts'

/** Google Cloud Translation, the basic edition (v2). */
export function googleEngine(tools: EngineTools): MachineEngine {
  return {
    name: 'google',
    // It takes 128 texts; a call of fifty is no slower to come, and less is lost with it.
    limits: { texts: 50, bytes: 100_000 },
    keeps: { plain: 'markup', element: 'span' },
    async translate(texts, { from, to }, as) {
      const [source, target] = [googleCode(from), googleCode(to)]
      if (!source || !target) return unsupportedLanguage(source ? to : from)
      const answer = await callEngine(tools, {
        url: `${tools.address || 'https://translation.googleapis.com'}/language/translate/v2`,
        // In a header, not in the address, which others write into their logs.
        headers: { 'x-goog-api-key': tools.key },
        // Without a format it answers markup.
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

/** It says by a word, not by the status, what is wrong: a used-up quota is a 403 as a wrong key is, or that is a 400. */
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
