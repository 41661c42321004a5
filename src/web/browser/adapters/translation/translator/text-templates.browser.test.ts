import { beforeEach, describe, expect, it } from 'vitest'
import { aScene, eventually } from '#tests/support/browser-modules/scene.ts'
import { answerTo, asked, originalsOf, translatorSettings } from '#tests/support/browser-modules/translator-shop.ts'

const scene = aScene()
const german = (more: Parameters<typeof translatorSettings>[0] = {}, body = '<main id="here"></main>') =>
  scene.open({ body, settings: translatorSettings(more) })
/** Appends a paragraph, as a script does that loads more. */
const append = (text: string, id = '') =>
  scene.page.evaluate(
    ([text = '', id = '']) => {
      const line = document.createElement('p')
      line.id = id
      line.textContent = text
      document.getElementById('here')?.append(line)
    },
    [text, id],
  )
/** Changes the text of a place, like a counting script. */
const change = (text: string) =>
  scene.page.evaluate((text) => document.getElementById('place')?.replaceChildren(text), text)
const shown = (selector: string) => scene.page.$eval(selector, (element) => element.textContent)
const originals = () => asked(scene.shop).map(originalsOf)

const known: Readonly<Record<string, string>> = {
  'Sale ends in 09 seconds': 'Noch 09 Sekunden',
  '3 of 24 shown': 'Von 24 sind 3 zu sehen',
  'Only 2 left': 'Fast ausverkauft',
  'Add to cart': 'In den Warenkorb',
  Reviews: 'Bewertungen',
  ...Object.fromEntries([...'abcdefghijkl'].map((letter) => [`known ${letter}`, `bekannt ${letter}`])),
}
beforeEach(() => {
  scene.shop.at('/api/translate', (seen) => answerTo(seen, known))
})

describe('texts that differ in their figures alone', () => {
  it('TRN-01 are asked for once, and each is shown with its own figures', async () => {
    await german({}, '<main id="here"><p id="place"></p></main>')
    for (const second of ['09', '08', '07', '10', '9']) {
      await change(`Sale ends in ${second} seconds`)
      await eventually(() => shown('#place')).toBe(`Noch ${second} Sekunden`)
    }
    await change('3 of 24 shown')
    await eventually(() => shown('#place')).toBe('Von 24 sind 3 zu sehen')
    await change('6 of 25 shown')
    await eventually(() => shown('#place')).toBe('Von 25 sind 6 zu sehen')
    expect(originals()).toEqual([['Sale ends in 09 seconds'], ['3 of 24 shown']])
  })

  it('TRN-01 stay as they are where nothing is known of the first, or its translation leaves the figures out', async () => {
    await german({}, '<main id="here"><p id="place"></p></main>')
    const letters = [...'abcdefgh']
    for (const [at, letter] of letters.entries()) {
      await change(at < 4 ? `Nobody knows of ${at}` : `Only ${at - 2} left`)
      // Requested together with all other texts due by then.
      await append(`known ${letter}`, letter)
      await eventually(() => shown(`#${letter}`)).toBe(`bekannt ${letter}`)
      expect(await shown('#place')).toBe(
        at < 4 ? `Nobody knows of ${at}` : at === 4 ? known['Only 2 left'] : `Only ${at - 2} left`,
      )
    }
    expect(
      originals()
        .flat()
        .filter((text) => !text.startsWith('known')),
    ).toEqual(['Nobody knows of 0', 'Only 2 left'])
  })

  it('TRN-01 are not asked for when the shop itself has given the page one of them', async () => {
    await german({}, '<main id="here"><p id="place">Noch 5 Stück</p></main>')
    await change('Noch 4 Stück')
    await append('Reviews', 'after')
    await eventually(() => shown('#after')).toBe('Bewertungen')
    expect(originals()).toEqual([['Reviews']])
  })

  it('TRN-01 that come together are each shown in their own translation', async () => {
    const each = { 'Size 1': 'Größe eins', 'Size 2': 'Größe 2', 'Size 3': 'Größe drei' }
    scene.shop.at('/api/translate', (seen) => answerTo(seen, each))
    await german()
    await scene.page.evaluate(() => {
      const lines = [1, 2, 3].map((size) => {
        const line = document.createElement('p')
        line.textContent = `Size ${size}`
        return line
      })
      document.getElementById('here')?.append(...lines)
    })
    await eventually(() => shown('#here')).toBe('Größe einsGröße 2Größe drei')
  })
})

describe('a place that goes on saying what nobody knows', () => {
  it('TRN-01 is asked about less and less, and still translated once something is known', async () => {
    // The page's time per change limits its requests: the clock stands still until all changes are made.
    await scene.page.addInitScript(() => {
      const now = performance.now.bind(performance)
      const stopped = now()
      performance.now = () => (document.documentElement.dataset.time === 'runs' ? now() : stopped)
    })
    await german({}, '<main id="here"><p id="place"></p></main>')
    const letters = [...'abcdefghijkl']
    for (const letter of letters) {
      await change(`${letter}da has ordered`)
      // Requested together with all other texts due by then.
      await append(`known ${letter}`, letter)
      await eventually(() => shown(`#${letter}`)).toBe(`bekannt ${letter}`)
    }
    const names = originals()
      .flat()
      .filter((text) => text.endsWith('has ordered'))
    expect(names[0]).toBe('ada has ordered')
    expect(names.length).toBeLessThan(letters.length / 2)
    await scene.page.evaluate(() => document.documentElement.setAttribute('data-time', 'runs'))
    await change('Reviews')
    await expect.poll(() => shown('#place'), { timeout: 90_000 }).toBe('Bewertungen')
  })
})

describe('the limit of duplicates', () => {
  it('TRN-06 does not count what a list that grows says in each of its entries', async () => {
    await german({ duplicate_detections_allowed: '3' })
    for (let page = 1; page <= 10; page += 1) {
      await append('Add to cart', `item-${page}`)
      await eventually(() => shown(`#item-${page}`)).toBe('In den Warenkorb')
    }
    expect(originals()).toEqual([['Add to cart']])
  })

  it('TRN-06 counts what comes back in one place, whatever the script makes anew around it', async () => {
    await german({ duplicate_detections_allowed: '3' })
    const again = () =>
      scene.page.evaluate(() => {
        const box = document.createElement('div')
        document.getElementById('here')?.replaceChildren(box)
        const line = document.createElement('p')
        line.id = 'place'
        line.textContent = 'Add to cart'
        box.append(line)
      })
    for (let time = 1; time <= 5; time += 1) {
      await again()
      await eventually(() => shown('#place')).toBe('In den Warenkorb')
    }
    await again()
    await append('Reviews', 'after')
    await eventually(() => shown('#after')).toBe('Bewertungen')
    expect(await shown('#place')).toBe('Add to cart')
  })
})
