import { expect, it } from 'vitest'
import { localizeFacts } from '#shop/translation/localize-facts.ts'
import { interfaceTranslator, type Translator } from '#shop/translation/translator.ts'
import { emptyRecord, recordingTranslator } from './editor-record.ts'

it('TRN-10 notes for the editor also what was said before and is remembered', async () => {
  const translator: Translator = {
    ...interfaceTranslator('de-DE'),
    isOwn: false,
    sourceLanguage: 'en-US',
    texts: async (originals) => originals.map((text) => `${text} auf Deutsch`),
    remembered: { text: (original) => `${original} auf Deutsch`, markup: () => undefined },
  }
  const record = emptyRecord()
  const tools = { translator: async () => recordingTranslator(translator, record) }
  expect(await localizeFacts(tools, (say) => say.text('Bowl'))).toBe('Bowl auf Deutsch')
  expect(record.texts.get('Bowl auf Deutsch')?.original).toEqual({ area: 'content', text: 'Bowl', markup: false })
})
