import { describe, expect, it } from 'vitest'
import { eventually } from '#tests/support/browser-modules/scene.ts'
import { aTranslatorPage } from '#tests/support/browser-modules/translator-page.ts'
import { answerTo, asked, originalsOf } from '#tests/support/browser-modules/translator-shop.ts'

const { scene, german, put, shown } = aTranslatorPage()

/** Returns the duration of the page's tasks in milliseconds, without other load of the machine. */
async function tasksDuring(work: () => Promise<unknown>): Promise<number[]> {
  const browser = scene.page.context().browser()
  await browser?.startTracing(scene.page, { categories: ['toplevel'] })
  await work()
  const trace = await browser?.stopTracing()
  const {
    traceEvents,
  }: { traceEvents: { name: string; pid: number; tid: number; tdur?: number; args?: { name?: string } }[] } =
    JSON.parse(String(trace))
  const main = new Set(
    traceEvents.filter(({ args }) => args?.name === 'CrRendererMain').map(({ pid, tid }) => `${pid} ${tid}`),
  )
  return traceEvents.flatMap(({ name, pid, tid, tdur }) =>
    /RunTask$/.test(name) && tdur !== undefined && main.has(`${pid} ${tid}`) ? [tdur / 1000] : [],
  )
}

describe('a page that fills up', () => {
  it('TRN-01 asks for at most 200 texts at a time, and at most every 50 milliseconds', async () => {
    const arrived: number[] = []
    scene.shop.at('/api/translate', (seen) => {
      arrived.push(performance.now())
      return answerTo(seen)
    })
    await german()
    await put(Array.from({ length: 450 }, (_, at) => `<p>text number ${at}</p>`).join(''))
    await eventually(() => asked(scene.shop).length).toBe(3)
    expect(asked(scene.shop).map((request) => originalsOf(request).length)).toEqual([200, 200, 50])
    // Each takes nine bytes per character and may be sent twice: three fit into a request, the fourth does not.
    const long = ['長い', '言葉', '花瓶', '食器'].map((it) => `<p>${it.repeat(500)}</p>`)
    await put(`${long.join('')}<p>${'x'.repeat(2001)}</p>`)
    await eventually(() => asked(scene.shop).length).toBe(5)
    expect(
      asked(scene.shop)
        .slice(3)
        .map((request) => originalsOf(request).length),
    ).toEqual([3, 1])
    for (const { body } of asked(scene.shop)) expect(body.toString().length).toBeLessThan(64 * 1024)
  })

  it('TRN-01 takes 10,000 texts in slices that nobody notices', async () => {
    scene.shop.at('/api/translate', (seen) =>
      answerTo(seen, { ...Object.fromEntries(originalsOf(seen).map((it) => [it, `de ${it}`])) }),
    )
    await german()
    await put('<p>Reviews</p>')
    await eventually(() => shown()).toBe('de Reviews')
    await scene.page.evaluate(() => {
      const box = document.createElement('div')
      for (let at = 0; at < 10_000; at += 1) {
        const line = document.createElement('p')
        line.title = `title ${at % 50}`
        line.textContent = `text ${at % 100} of many`
        box.append(line)
      }
      box.hidden = true
      Object.assign(window, { box })
    })
    const tasks = await tasksDuring(() =>
      scene.page.evaluate(async () => {
        const box: HTMLElement = Reflect.get(window, 'box')
        document.body.append(box)
        while (!box.lastElementChild?.textContent?.startsWith('de ')) await new Promise((turn) => setTimeout(turn, 20))
      }),
    )
    expect(asked(scene.shop)).toHaveLength(2)
    expect(tasks.length).toBeGreaterThan(5)
    expect(Math.max(...tasks)).toBeLessThan(30)
  })
})
