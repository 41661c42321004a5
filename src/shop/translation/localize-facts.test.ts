import { expect, it, vi } from 'vitest'
import { localizeFacts } from './localize-facts.ts'
import { interfaceTranslator, type Translator } from './translator.ts'

/** Translates to upper case, and records its calls. */
function shouting() {
  const known = new Map<string, string>()
  const ask = vi.fn(async (originals: readonly string[]) =>
    originals.map((original) => {
      known.set(original, original.toUpperCase())
      return original.toUpperCase()
    }),
  )
  const translator: Translator = {
    ...interfaceTranslator('de-DE'),
    isOwn: false,
    sourceLanguage: 'en-US',
    texts: ask,
    markup: ask,
    remembered: {
      text: (original) => (original === '' ? '' : known.get(original)),
      markup: (original) => (original === '' ? '' : known.get(original)),
    },
  }
  return { tools: { translator: async () => translator }, translator, ask }
}

it('asks for all texts together, and once', async () => {
  const { tools, ask } = shouting()
  const bowl = () =>
    localizeFacts(tools, (say) => [say.text('bowl'), say.text('cup'), say.markup('<b>salt</b>'), say.text('')])
  expect(await bowl()).toEqual(['BOWL', 'CUP', '<B>SALT</B>', ''])
  expect(ask.mock.calls).toEqual([[['bowl', 'cup']], [['<b>salt</b>']]])
  expect(await bowl()).toEqual(['BOWL', 'CUP', '<B>SALT</B>', ''])
  expect(ask).toHaveBeenCalledTimes(2)
})

it('says nothing half from memory: where one text is new, all are asked for', async () => {
  const { tools, ask } = shouting()
  await localizeFacts(tools, (say) => say.text('bowl'))
  expect(await localizeFacts(tools, (say) => [say.text('bowl'), say.text('cup')])).toEqual(['BOWL', 'CUP'])
  expect(ask).toHaveBeenLastCalledWith(['bowl', 'cup'])
})

it('asks each time where nothing is remembered', async () => {
  const { translator, ask } = shouting()
  const { remembered: _, ...forgetful } = translator
  const tools = { translator: async () => forgetful }
  for (let round = 0; round < 2; round += 1) expect(await localizeFacts(tools, (say) => say.text('bowl'))).toBe('BOWL')
  expect(ask).toHaveBeenCalledTimes(2)
})
