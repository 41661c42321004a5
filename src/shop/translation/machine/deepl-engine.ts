import { deeplAnswer } from '#contract/translation/machine-answers.ts'
import { callEngine, requireSameCount, unsupportedLanguage } from './call-engine.ts'
import { deeplCode } from './engine-languages.ts'
import type { EngineTools, MachineEngine } from './translation-engine.ts'

/** Keys of free accounts have this suffix, and their own host. */
const freeKey = /:fx$/

export function deeplEngine(tools: EngineTools): MachineEngine {
  const host = freeKey.test(tools.key) ? 'https://api-free.deepl.com' : 'https://api.deepl.com'
  const { formality = 'usual' } = tools
  return {
    name: 'deepl',
    limits: { texts: 50, bytes: 100_000 },
    keeps: { plain: 'markup', element: 'x' },
    async translate(texts, { from, to }, as) {
      const [source, target] = [deeplCode(from, 'source'), deeplCode(to, 'target')]
      if (!source || !target) return unsupportedLanguage(source ? to : from)
      const answer = await callEngine(tools, {
        url: `${tools.address || host}/v2/translate`,
        headers: { authorization: `DeepL-Auth-Key ${tools.key}` },
        body: {
          text: texts,
          source_lang: source,
          target_lang: target,
          preserve_formatting: true,
          // "prefer": not an error in a language without formality.
          ...(formality !== 'usual' && { formality: `prefer_${formality}` }),
          ...(as === 'markup' && { tag_handling: 'xml', ignore_tags: ['x'], non_splitting_tags: ['g', 'x'] }),
        },
        schema: deeplAnswer,
        readRefusal: ({ status }) => (status === 456 ? 'quota' : null),
      })
      if (!answer.ok) return answer
      return requireSameCount(
        texts,
        answer.value.translations.map(({ text }) => text),
      )
    },
  }
}
