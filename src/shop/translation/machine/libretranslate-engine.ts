import {
  libreTranslateAnswer,
  libreTranslateLanguages,
  libreTranslateRefusal,
  libreTranslateSettings,
} from '#contract/translation/machine-answers.ts'
import { callEngine, type Refusal, requireSameCount, unsupportedLanguage } from './call-engine.ts'
import { nearestCode } from './engine-languages.ts'
import type { EngineTools, MachineAnswer, MachineEngine, MachineTrouble } from './translation-engine.ts'

type Languages = readonly { readonly code: string; readonly targets?: readonly string[] | undefined }[]

/** A LibreTranslate server, or a compatible one. Its languages are requested once. */
export function libreTranslateEngine(tools: EngineTools): MachineEngine {
  let known: Languages | null = null
  let characters: number | null = null
  const languages = async (): Promise<Languages | (MachineAnswer & { ok: false })> => {
    if (known) return known
    const answer = await callEngine(tools, { url: `${tools.address}/languages`, schema: libreTranslateLanguages })
    if (!answer.ok) return answer
    known = answer.value
    return known
  }
  return {
    name: 'libretranslate',
    get limits() {
      return { texts: 50, bytes: 100_000, ...(characters !== null && characters > 0 && { characters }) }
    },
    async prepare() {
      if (characters !== null) return
      const answer = await callEngine(tools, {
        url: `${tools.address}/frontend/settings`,
        schema: libreTranslateSettings,
      })
      // An unknown limit may be none: refused texts are sent separately.
      characters = answer.ok ? answer.value.charLimit : -1
    },
    // It may lose elements; it leaves placeholder characters unchanged, as names.
    keeps: { plain: 'text', element: 'span' },
    async translate(texts, { from, to }, as) {
      const spoken = await languages()
      if ('ok' in spoken) return spoken
      const codes = spoken.map(({ code }) => code)
      const source = nearestCode(from, codes)
      if (!source) return unsupportedLanguage(from)
      const targets = spoken.find(({ code }) => code === source)?.targets ?? codes
      const target = nearestCode(to, targets)
      if (!target) return unsupportedLanguage(to)
      const answer = await callEngine(tools, {
        url: `${tools.address}/translate`,
        body: {
          q: texts,
          source,
          target,
          format: as === 'text' ? 'text' : 'html',
          ...(tools.key === '' ? {} : { api_key: tools.key }),
        },
        schema: libreTranslateAnswer,
        readRefusal,
      })
      if (!answer.ok) return answer
      const { translatedText } = answer.value
      return requireSameCount(texts, typeof translatedText === 'string' ? [translatedText] : translatedText)
    },
  }
}

function readRefusal({ status, body }: Refusal): MachineTrouble['kind'] | null {
  const error = libreTranslateRefusal.safeParse(body).data?.error ?? ''
  if (status === 400 && /is not supported|not available/i.test(error)) return 'language'
  // A server that requires a key responds with 400.
  return status === 400 && /api key/i.test(error) ? 'key' : null
}
