import { dueOriginals } from '#database/translation/queue.ts'
import { type MachineTools, machineEngine, wantedLanguages } from './engine-settings.ts'
import { lengthOf, sentText } from './plan-batch.ts'
import { enqueueUntranslated } from './translate-queue.ts'

export type Estimate = { readonly tag: string; readonly count: number; readonly characters: number }

/** Rolls back the transaction. */
class Undo extends Error {}

const most = 200_000

/** Estimates the cost of translating all missing texts, in billed characters; nothing is written. */
export async function estimateMachine(
  tools: MachineTools,
  { also, only }: { also: readonly string[]; only?: readonly string[] },
): Promise<readonly Estimate[]> {
  const { db, clock, settings } = tools
  const wanted = wantedLanguages(settings, also).filter(({ tag }) => only?.includes(tag) ?? true)
  const made = machineEngine(tools)
  const keeps = made.ok ? made.engine.keeps : ({ plain: 'text', element: 'span' } as const)
  let result: readonly Estimate[] = []
  try {
    await db.kysely.transaction().execute(async (tx) => {
      await enqueueUntranslated({ ...tools, settings, db: { ...db, kysely: tx } }, also, most)
      const due = await dueOriginals(tx, { now: clock.now(), most, wanted })
      result = wanted.map(({ tag }) => {
        const sent = new Set<string>()
        let count = 0
        for (const original of due) {
          if (original.language !== tag) continue
          const { text } = sentText(original, { keeps }, settings)
          if (!text.speaks) continue
          count += 1
          sent.add(`${original.area} ${text.sent}`)
        }
        const characters = [...sent].reduce((sum, text) => sum + lengthOf(text.slice(text.indexOf(' ') + 1)), 0)
        return { tag, count, characters }
      })
      throw new Undo()
    })
  } catch (error) {
    if (!(error instanceof Undo)) throw error
  }
  return result.filter(({ count }) => count > 0)
}
