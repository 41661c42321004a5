import type { BenchShop } from './bench-shop.ts'
import { browserEncodings, load } from './load.ts'
import { cpuSeconds } from './processes.ts'
import { median } from './report.ts'

type Asked = { readonly path: string; readonly headers?: Readonly<Record<string, string>> }
type Answer = { readonly perSecond: number; readonly cpu: number }

const processes = 3
const rounds = 9
const seconds = 1

/**
 * Asks for two pages that nobody has asked for before, in turns: whoever comes second meets a warmer machine. Of several
 * processes, since each compiles the same code in its own way: the ratio of one is up to a tenth beside that of the next.
 * @returns the second against the first by time and by processor seconds of shop and database, and both per second
 */
export async function inTurns(shop: BenchShop, first: Asked, second: Asked) {
  const measure = async ({ path, headers }: Asked): Promise<Answer> => {
    const cpu = () => cpuSeconds(shop.pids.shop) + cpuSeconds(shop.pids.postgres, { withChildren: true })
    const before = cpu()
    const { perSecond } = await load({
      url: shop.url + path,
      seconds,
      headers: { 'accept-encoding': browserEncodings, ...headers },
      freshAddresses: true,
    })
    return { perSecond, cpu: (cpu() - before) / (perSecond * seconds) }
  }
  const answers: { first: Answer; second: Answer }[] = []
  for (let process = 0; process < processes; process += 1) {
    if (process > 0) await shop.restart()
    for (const asked of [first, second, first, second]) await measure(asked)
    for (let round = 0; round < rounds; round += 1) {
      const inOrder = round % 2 === 0
      const early = await measure(inOrder ? first : second)
      const late = await measure(inOrder ? second : first)
      answers.push(inOrder ? { first: early, second: late } : { first: late, second: early })
    }
  }
  const of = (pick: (answer: (typeof answers)[number]) => number) => median(answers.map(pick))
  return {
    byTime: of((one) => one.first.perSecond / one.second.perSecond),
    byProcessor: of((one) => one.second.cpu / one.first.cpu),
    first: of((one) => one.first.perSecond),
    second: of((one) => one.second.perSecond),
  }
}
