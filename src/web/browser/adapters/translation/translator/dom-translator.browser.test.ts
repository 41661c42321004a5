import { beforeEach, describe, expect, it } from 'vitest'
import type { Reply, Seen } from '#tests/support/browser-modules/fixture-shop.ts'
import { aScene, eventually } from '#tests/support/browser-modules/scene.ts'
import {
  answerTo,
  asked,
  originalsOf,
  skippedOf,
  translatorSettings,
} from '#tests/support/browser-modules/translator-shop.ts'

const scene = aScene()
const german = (more: Parameters<typeof translatorSettings>[0] = {}, body = '<main id="here"></main>') =>
  scene.open({ body, settings: translatorSettings(more) })
const put = (html: string) =>
  scene.page.evaluate((html) => {
    const template = document.createElement('div')
    template.innerHTML = policy.createHTML(html)
    document.getElementById('here')?.append(...template.childNodes)
  }, html)
/** The visible text in the document tree. */
const shown = (selector = '#here') => scene.page.$eval(selector, (element) => element.textContent)
const attribute = (selector: string, name: string) =>
  scene.page.$eval(selector, (element, name) => element.getAttribute(name), name)

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

/** Holds responses back until they are released. */
function gate() {
  let open: () => void = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const hold = async (seen: Seen): Promise<Reply> => {
    await opened
    return answerTo(seen)
  }
  return { open: () => open(), hold }
}

declare const policy: { createHTML(html: string): string }
beforeEach(async () => {
  scene.shop.at('/api/translate', (seen) => answerTo(seen))
  scene.shop.at('/wp-admin/admin-ajax.php', (seen) => answerTo(seen))
  // A third-party script: the fixture's policy allows markup to the shop's scripts only.
  await scene.page.route('**/page/*', async (route) => {
    const response = await route.fetch()
    const headers = { ...response.headers() }
    delete headers['content-security-policy']
    await route.fulfill({ response, headers })
  })
  await scene.page.addInitScript('window.policy = { createHTML: (html) => html }')
})

describe('what is put into a page in another language', () => {
  it('TRN-01 TRN-02 is translated on the fly, with one request that says all the wire asks for', async () => {
    await german()
    await put('<p> Add to cart </p><p><b>Reviews</b> 12</p><p>Add to cart</p>')
    await eventually(() => shown()).toBe(' In den Warenkorb Bewertungen 12In den Warenkorb')
    const [request, ...more] = asked(scene.shop)
    expect(more).toEqual([])
    expect([request?.method, request?.path]).toEqual(['POST', '/api/translate'])
    expect(request?.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/)
    expect(Object.fromEntries(request?.body ?? [])).toEqual({
      action: 'trp_get_translations_regular',
      all_languages: 'false',
      security: 'n-gettranslationsnonceregular',
      language: 'de_DE',
      original_language: 'en_US',
      originals: '["Add to cart","Reviews"]',
      skip_machine_translation: '[]',
      dynamic_strings: 'true',
      translate_numerals_opt: 'no',
    })
    expect(scene.errors).toEqual([])
  })

  it('TRN-01 is not looked at in the shop’s own language, and nothing is loaded where nothing is put', async () => {
    await scene.open({ body: '<main id="here"></main>' })
    const loaded = (name: string) =>
      scene.page.evaluate((name) => performance.getEntriesByType('resource').some((it) => it.name.includes(name)), name)
    await put('<p>Add to cart</p>')
    await german()
    await scene.page.evaluate(() => new Promise((done) => requestIdleCallback(done)))
    expect(await loaded('start-translator')).toBe(false)
    await put('<p>Reviews</p>')
    await eventually(() => shown()).toBe('Bewertungen')
    expect(await loaded('start-translator')).toBe(true)
    expect(asked(scene.shop)).toHaveLength(1)
  })

  it('TRN-01 is asked for once: what is known, and what is known to be unknown, is not asked for again', async () => {
    await german()
    await put('<p>Add to cart</p><p>Nobody knows</p>')
    await eventually(() => shown()).toBe('In den WarenkorbNobody knows')
    await put('<p>Add to cart</p><p>Nobody knows</p><p>Reviews</p>')
    await eventually(() => shown()).toMatch(/Bewertungen$/)
    expect(asked(scene.shop).map(originalsOf)).toEqual([['Add to cart', 'Nobody knows'], ['Reviews']])
  })

  it('TRN-01 comes out as text, whatever stands in it', async () => {
    await german()
    await put(['length', '__proto__', 'constructor', 'Dollars', 'Hot &amp; cold'].map((it) => `<p>${it}</p>`).join('|'))
    await eventually(() => shown()).toBe('Länge|Prototyp|Erbauer|$& $1 $$|Heiß & <b>kalt</b> <i>und</i> &amp;')
    expect(await scene.page.locator('#here :is(b, i)').count()).toBe(0)
  })

  it('TRN-01 keeps the blanks around it, and follows a text that is changed in place', async () => {
    await german({}, '<main id="here"><p>Schon da</p></main>')
    await scene.page.evaluate(() =>
      document.getElementById('here')?.append('You have ', 'Reviews ', document.createElement('b')),
    )
    await eventually(() => shown()).toBe('Schon daYou have Bewertungen ')
    await scene.page.evaluate(() => {
      const text = document.querySelector('#here p')?.firstChild
      if (text) text.nodeValue = ' Read more '
      document.querySelector('#here p')?.setAttribute('title', 'Reply')
    })
    await eventually(() => attribute('#here p', 'title')).toBe('Antworten')
    await eventually(() => shown('#here p')).toBe(' Mehr lesen ')
  })
})

describe('the doors', () => {
  const logs: string[] = []
  beforeEach(() => {
    logs.length = 0
    scene.page.on('console', (message) => logs.push(`${message.type()}: ${message.text()}`))
  })
  const notices = () => logs.filter((line) => /^info: Translations/.test(line)).length
  const errors = () => logs.filter((line) => /^error: Translations/.test(line)).length

  it('TRN-03 a fast one that says error, or nothing to the purpose, leads to the platform’s, which is asked the same', async () => {
    const replies: [string, string, Reply][] = [
      ['Add to cart', 'In den Warenkorb', { json: 'error' }],
      ['Reviews', 'Bewertungen', { status: 500 }],
      ['Reply', 'Antworten', { status: 429 }],
      ['Read more', 'Mehr lesen', { body: '<!doctype html>' }],
    ]
    await german()
    for (const [time, [text, translated, reply]] of replies.entries()) {
      scene.shop.at('/api/translate', () => reply)
      await put(`<p>${text}</p>`)
      await eventually(() => shown('#here :last-child')).toBe(translated)
      const [first, second, ...more] = asked(scene.shop)
      expect([first?.path, second?.path, more]).toEqual(['/api/translate', '/wp-admin/admin-ajax.php', []])
      expect(second?.body.toString()).toBe(first?.body.toString())
      expect([notices(), errors()]).toEqual([time + 1, 0])
      scene.shop.seen.length = 0
    }
  })

  it('TRN-03 when both fail the originals come back, each door asked once, both logged; after three times there is peace', async () => {
    await german({ showdynamiccontentbeforetranslation: '' })
    scene.shop.at('/api/translate', () => ({ json: 'error' }))
    scene.shop.at('/wp-admin/admin-ajax.php', () => ({ status: 500 }))
    await put('<p id="text"> Add to cart </p><p title="Reply">Reviews</p>')
    await eventually(() => errors()).toBe(1)
    expect(await shown()).toBe(' Add to cart Reviews')
    expect(await attribute('[title]', 'title')).toBe('Reply')
    expect([asked(scene.shop).length, notices()]).toEqual([2, 1])
    for (const [time, text] of ['Two', 'Three'].entries()) {
      await put(`<p>${text}</p>`)
      await eventually(() => errors()).toBe(time + 2)
    }
    scene.shop.seen.length = 0
    await put('<p>Four</p>')
    await scene.page.evaluate(() => new Promise((done) => requestIdleCallback(done)))
    expect(asked(scene.shop)).toEqual([])
    expect(await shown()).toMatch(/TwoThreeFour$/)
  })

  it('TRN-03 an empty list and null give the originals back, and are no failure', async () => {
    await german({ showdynamiccontentbeforetranslation: '' })
    for (const [body, text] of [
      ['[]', 'Add to cart'],
      ['null', 'Reviews'],
    ] as const) {
      scene.shop.seen.length = 0
      scene.shop.at('/api/translate', () => ({ body }))
      await put(`<p>${text}</p>`)
      await eventually(() => asked(scene.shop).length).toBe(1)
      await eventually(() => shown('#here :last-child')).toBe(text)
      expect([asked(scene.shop).length, notices(), errors()]).toEqual([1, 0, 0])
    }
  })

  it('TRN-03 a door that keeps silent for 3 seconds leaves nothing blank', async () => {
    await german({ showdynamiccontentbeforetranslation: '' })
    const never = () => new Promise<Reply>(() => {})
    for (const path of ['/api/translate', '/wp-admin/admin-ajax.php']) scene.shop.at(path, never)
    await put('<p>Add to cart</p>')
    await eventually(() => shown()).toBe('')
    const since = Date.now()
    await expect.poll(() => shown(), { timeout: 15_000 }).toBe('Add to cart')
    expect(Date.now() - since).toBeGreaterThan(1500)
    await expect.poll(() => asked(scene.shop).length, { timeout: 15_000 }).toBe(2)
  })
})

describe('while a translation is on its way', () => {
  it('TRN-04 texts are blank unless they are to be seen before, and attributes never are', async () => {
    const { hold, open } = gate()
    scene.shop.at('/api/translate', hold)
    await german({ showdynamiccontentbeforetranslation: '' })
    await put(
      '<p>Add to cart</p><p title="Reply" aria-label="Reply">Reviews</p><input type="submit" value="Reply"><input placeholder="Read more">',
    )
    await eventually(() => shown()).toBe('')
    expect(await attribute('[title]', 'title')).toBe('Reply')
    expect(await attribute('[aria-label]', 'aria-label')).toBe('Reply')
    expect(await attribute('[placeholder]', 'placeholder')).toBe('Read more')
    expect(await attribute('[type=submit]', 'value')).toBe('Reply')
    open()
    await eventually(() => shown()).toBe('In den WarenkorbBewertungen')
    expect(await attribute('[title]', 'title')).toBe('Antworten')
    expect(await attribute('[type=submit]', 'value')).toBe('Antworten')
    expect(await attribute('[placeholder]', 'placeholder')).toBe('Mehr lesen')
  })

  it('TRN-04 they are seen in their own language where that is wanted, but for a text that is put in bare', async () => {
    const { hold, open } = gate()
    scene.shop.at('/api/translate', hold)
    await german()
    await put('<p>Add to cart</p>')
    await scene.page.evaluate(() => document.getElementById('here')?.append('Reviews'))
    await eventually(() => asked(scene.shop).length).toBeGreaterThan(0)
    expect(await shown()).toBe('Add to cart')
    open()
    await eventually(() => shown()).toBe('In den WarenkorbBewertungen')
  })

  it('TRN-04 a text that becomes another is not overwritten', async () => {
    const { hold, open } = gate()
    scene.shop.at('/api/translate', hold)
    await german({ showdynamiccontentbeforetranslation: '' })
    await put('<p id="one">Add to cart</p><p id="two">Reviews</p><p id="three">Reply</p><p id="four">Read more</p>')
    await eventually(() => shown()).toBe('')
    await scene.page.evaluate(() => {
      const [one, two] = ['one', 'two'].map((id) => document.getElementById(id)?.firstChild)
      if (one) one.nodeValue = '7 in the cart'
      if (two) two.nodeValue = ''
      // A script that does not see the blank text writes the same again.
      const four = document.getElementById('four')?.firstChild
      if (four) four.nodeValue = 'Read more'
    })
    open()
    await eventually(() => shown('#three')).toBe('Antworten')
    await eventually(() => shown('#one')).toBe('7 in the cart')
    expect(await shown('#two')).toBe('')
    await eventually(() => shown('#four')).toBe('Mehr lesen')
  })
})

describe('what is left alone', () => {
  const unseen = async (html: string, more: Parameters<typeof translatorSettings>[0] = {}) => {
    await german(more)
    await put(`${html}<p>Reviews</p>`)
    await eventually(() => asked(scene.shop).length).toBe(1)
    return originalsOf(asked(scene.shop)[0] as Seen)
  }

  it('TRN-05 texts of blanks, figures and signs; figures count where the numerals are wanted', async () => {
    const html = '<p> 12.50 % </p><p>$ 3,00 &lt;€&gt;</p><p>\u00a0\u2003–’</p><p>"</p><p>¥ 5</p><p>(1/2)</p>'
    expect(await unseen(html)).toEqual(['–’', '"', '¥ 5', 'Reviews'])
    await scene.page.evaluate(() => document.getElementById('here')?.replaceChildren())
    scene.shop.seen.length = 0
    expect(await unseen('<p>12</p><p>—.</p><p>..</p>', { trp_translate_numerals_opt: 'yes' })).toEqual([
      '12',
      '—.',
      'Reviews',
    ])
  })

  it('TRN-06 elements by their selectors, texts by a list, and addresses by a part of them', async () => {
    const html = `<div data-no-translation><p>Hidden <i>deep</i></p></div><div data-no-dynamic-translation>No</div>
      <p class="mine">Not this</p><p>Exactly this</p><p>Exactly this one</p><textarea>Typed</textarea><p translate="no">Brand</p>
      <script type="text/plain">code</script><style>p { color: inherit }</style><div contenteditable>Being written</div>
      <a href="https://googleads.test/x">Read more</a><p title="Reply" data-trp-translate-id-title="7">What came translated</p>`
    const more = {
      trp_skip_selectors: [
        '[data-no-translation]',
        '[data-no-dynamic-translation]',
        'script',
        'style',
        '.mine',
        '<not one>',
      ],
      skip_strings_from_dynamic_translation: ['Exactly this'],
    }
    expect(await unseen(html, more)).toEqual(['Exactly this one', 'Read more', 'What came translated', 'Reviews'])
  })

  it('TRN-06 a text that a script puts back each time, once it was met two times more than is allowed', async () => {
    await german({ duplicate_detections_allowed: '3' })
    await put('<p id="text">x</p>')
    for (let time = 1; time <= 5; time += 1) {
      await scene.page.evaluate(() => document.getElementById('text')?.replaceChildren('Add to cart'))
      await eventually(() => shown('#text')).toBe('In den Warenkorb')
    }
    await scene.page.evaluate(() => document.getElementById('text')?.replaceChildren('Add to cart'))
    await put('<p id="after">Reviews</p>')
    await eventually(() => shown('#after')).toBe('Bewertungen')
    expect(await shown('#text')).toBe('Add to cart')
  })

  it('TRN-07 addresses go among those that no machine translates, and lead nowhere but to pages', async () => {
    const known = {
      'https://example.test/en': 'https://example.test/de',
      '/en.png': '/de.png',
      'https://example.test/bad': 'javascript:alert(1)',
      'mailto:us@example.test': 'data:text/html,x',
      Reviews: 'Bewertungen',
    }
    scene.shop.at('/api/translate', (seen) => answerTo(seen, known))
    await german()
    await put(`<a id="a" href="https://example.test/en">Reviews</a><a id="b" href="https://example.test/bad">Reviews</a>
      <a id="c" href="mailto:us@example.test">Reviews</a><img id="d" src="/en.png" srcset="/big.png 2x" alt="">
      <p data-no-auto-translation>Guessed</p>`)
    await eventually(() => attribute('#a', 'href')).toBe('https://example.test/de')
    const [request] = asked(scene.shop) as [Seen]
    const addresses = ['https://example.test/en', 'https://example.test/bad', 'mailto:us@example.test', '/en.png']
    expect([...skippedOf(request)].sort()).toEqual([...addresses, 'Guessed'].sort())
    expect(originalsOf(request)).toEqual(expect.arrayContaining([...addresses, 'Guessed', 'Reviews']))
    expect(await attribute('#b', 'href')).toBe('https://example.test/bad')
    expect(await attribute('#c', 'href')).toBe('mailto:us@example.test')
    expect([await attribute('#d', 'src'), await attribute('#d', 'srcset'), await attribute('#d', 'data-src')]).toEqual([
      '/de.png',
      '',
      '/de.png',
    ])
  })

  it('TRN-11 what the browser itself translates', async () => {
    const fonts = '<p><font><font>Przeczytaj</font></font></p><p _msttexthash="1">Przeczytaj</p>'
    expect(await unseen(fonts)).toEqual(['Reviews'])
    await scene.page.evaluate(() => document.documentElement.classList.add('translated-ltr'))
    await put('<p>Read more</p>')
    await scene.page.evaluate(() => document.documentElement.classList.remove('translated-ltr'))
    await put('<p>Reply</p>')
    await eventually(() => shown()).toMatch(/Antworten$/)
    expect(asked(scene.shop).map(originalsOf)).toEqual([['Reviews'], ['Reply']])
  })

  it('TRN-11 what React renders, but for foreign markup in it', async () => {
    const island =
      '<vitrine-island when="interaction" name="x"><p>Rendered</p><div data-tm-island><p>Read more</p></div></vitrine-island>'
    expect(await unseen(island)).toEqual(['Read more', 'Reviews'])
  })

  it('TRN-11 what an option sends, what is typed and where somebody is', async () => {
    await german()
    await put('<select id="s"><option>Reviews</option></select><input id="i" placeholder="Read more">')
    await scene.page.fill('#i', 'typed')
    await eventually(() => shown('option')).toBe('Bewertungen')
    await eventually(() => attribute('#i', 'placeholder')).toBe('Mehr lesen')
    expect(await scene.page.$eval('#s', (it) => (it as HTMLSelectElement).value)).toBe('Reviews')
    expect(await scene.page.inputValue('#i')).toBe('typed')
    expect(await scene.page.evaluate(() => document.activeElement?.id)).toBe('i')
  })
})

describe('a page in the editor', () => {
  const facts = {
    language: 'de-DE',
    nonce: 'n-editor',
    ajaxUrl: '/wp-admin/admin-ajax.php',
    key: 'k',
    path: '/',
    words: {},
  }
  const frame = `<script type="application/json" id="vitrine-editor-frame">${JSON.stringify(facts)}</script>`

  it('TRN-09 asks at the platform’s door with the editor’s nonce, wraps texts and tags elements', async () => {
    const settings = translatorSettings()
    await scene.open({ body: `<main id="here"></main>${frame}`, settings }, '/page/?trp-edit-translation=preview')
    await scene.page.evaluate(() => {
      addEventListener('trp_iframe_page_updated', () => document.body.setAttribute('data-updated', ''))
    })
    await put('<p> Add to cart </p><p title="Reply">Nobody knows</p>')
    const wrapped = scene.page.locator('#here translate-press')
    await eventually(() => wrapped.count()).toBe(1)
    await scene.page.locator('body[data-updated]').waitFor()
    expect(await wrapped.evaluate((element) => element.outerHTML)).toMatch(
      /^<translate-press data-trp-translate-id="\d+" data-trp-node-group="Dynamic Added Strings"> In den Warenkorb <\/translate-press>$/,
    )
    expect(await attribute('[title]', 'data-trp-translate-id-title')).toMatch(/^\d+$/)
    expect(await attribute('[title]', 'data-trp-node-group-title')).toBe('Dynamic Added Strings')
    expect(await attribute('[title]', 'title')).toBe('Antworten')
    const [request, ...more] = asked(scene.shop)
    expect([request?.path, request?.body.get('security'), more]).toEqual(['/wp-admin/admin-ajax.php', 'n-editor', []])
  })

  it('TRN-09 is only one that the server has made so', async () => {
    await scene.open(
      { body: '<main id="here"></main>', settings: translatorSettings() },
      '/page/?trp-edit-translation=preview',
    )
    await put('<p>Add to cart</p>')
    await eventually(() => shown()).toBe('In den Warenkorb')
    expect(await scene.page.locator('translate-press').count()).toBe(0)
    expect(asked(scene.shop).map(({ path }) => path)).toEqual(['/api/translate'])
  })
})

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
