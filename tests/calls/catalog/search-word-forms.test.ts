import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogChanged } from '#database/catalog/catalog-version.ts'
import { select, textOf } from '#tests/support/shared/rendered-markup.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { demoInLanguages } from '#tests/support/translation/demo-languages.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ wallet: false, fill: demoInLanguages, settings: { productsPerPage: 100 } })
}, 240_000)
afterAll(() => shop?.close())

/** What a search shows, and whether it is an answer to something else than was typed. */
async function search(term: string, language = '') {
  const query = new URLSearchParams({ s: term, post_type: 'product' })
  const response = await fetch(`${shop.url}${language && `/${language}`}/?${query}`)
  expect(response.status).toBe(200)
  const html = await response.text()
  // Where nothing is found, what others like is shown below.
  const [grid] = html.includes('woocommerce-no-products-found') ? [] : select(html, 'ul.products')
  const names = grid ? select(html, 'h2.woocommerce-loop-product__title').map(textOf) : []
  return { names, guessed: html.includes('search-correction') }
}

async function suggested(term: string, language = '') {
  const query = new URLSearchParams({ term })
  return (await fetch(`${shop.url}${language && `/${language}`}/search-suggestions/?${query}`)).text()
}

describe('LIST-06 a search', () => {
  it.each([
    ['', 'plate', 'plates', 'Shoreline Plate'],
    ['', 'knives', 'knife', 'Little Knife'],
    ['', 'jars', 'jar', 'Pantry Jar'],
    ['de', 'Teller', 'Tellern', 'Uferteller'],
    ['de', 'Kerze', 'Kerzen', 'Kerze Tiefe Wolke'],
    ['de', 'Tischleuchten', 'Tischleuchte', 'Tischleuchte Pfifferling'],
    ['es', 'jarrón', 'jarrones', 'Jarrón Marea'],
    ['es', 'cojines', 'cojín', 'Cojín Estanque'],
    ['fr', 'assiettes', 'assiette', 'Assiette Rivage'],
    ['fr', 'vase', 'vases', 'Vase Marée'],
    ['ar', 'الكوب', 'الأكواب', 'كوب المرفأ'],
    ['ar', 'مصابيح', 'مصباح', 'مصباح العمود'],
    ['ar', 'المزهريات', 'مزهرية', 'مزهرية الهالة'],
  ])('in “%s” finds the same goods by %s and %s', async (language, one, other, name) => {
    const [first, second] = [await search(one, language), await search(other, language)]
    expect(first.names).toContain(name)
    expect(first.names.toSorted()).toEqual(second.names.toSorted())
    expect([first.guessed, second.guessed]).toEqual([false, false])
  })

  it.each([
    ['', 'vases for branches', 'Tidal Vase'],
    ['de', 'Teekanne mit Ebbe', 'Teekanne Ebbe'],
    ['es', 'velas de la cera', 'Velas de cera de abeja, juego de tres'],
    ['fr', 'bougies avec la cire', 'Bougies en cire d’abeille, lot de trois'],
    ['ar', 'كوب من المرفأ', 'كوب المرفأ'],
    ['ja', '港の皿のマグ', null],
    ['ja', 'きのこの島', null],
    ['ja', '花瓶の潮', '潮の花瓶'],
  ])('in “%s” is not emptied by what only binds words: %s', async (language, term, name) => {
    const { names } = await search(term, language)
    if (name) expect(names).toContain(name)
    else expect(names).toEqual([])
  })

  it.each([
    ['', 'tea pot', 'Low Tide Teapot'],
    ['', 'day books', 'Daybook'],
    ['de', 'Tee Kanne', 'Teekanne Ebbe'],
    ['de', 'Espressotasse', 'Espressotassen, Dreierset'],
    ['de', 'Tasse', 'Espressotassen, Dreierset'],
    ['de', 'Glaeser', 'Vorratsglas'],
    ['fr', 'abeille', 'Bougies en cire d’abeille, lot de trois'],
    ['ja', '皿', '渚の皿'],
  ])('in “%s” takes compounds together and apart: %s', async (language, term, name) => {
    const { names, guessed } = await search(term, language)
    expect(names).toContain(name)
    expect(guessed).toBe(false)
  })

  it.each(['TIDAL-VASE', 'tidalvase', 'TIDAL_VASE', 'tidalvasemoss', 'Tidal.Vase.Moss'])(
    'finds a number of the catalogue without its marks: %s',
    async (term) => {
      expect(await search(term)).toEqual({ names: ['Tidal Vase'], guessed: false })
    },
  )

  it('finds a number with figures without its marks, in every language', async () => {
    await shop.db.sql`update products set sku = 'HRB-MUG-01' where sku = 'HARBOR-MUG'`
    await shop.db.sql`update products set sku = 'HRB-MUG-01-A' where sku = 'HARBOR-MUG-MOSS'`
    await catalogChanged(shop.db.kysely)
    for (const term of ['HRB-MUG-01', 'hrbmug01', 'hrb mug 01', 'HRB/MUG/01', 'HRBMUG01A', 'hrb-mug01-a']) {
      expect(await search(term), term).toEqual({ names: ['Harbor Mug'], guessed: false })
    }
    expect((await search('hrbmug01', 'de')).names).toEqual(['Hafenbecher'])
  })

  it('that is misspelled is an answer to a form of the word', async () => {
    const { names, guessed } = await search('platess')
    expect(names).toContain('Shoreline Plate')
    expect(guessed).toBe(true)
  })

  it('suggests categories and goods by each form of their names', async () => {
    expect(await suggested('vase')).toContain('id="suggested-category-vases"')
    expect(await suggested('lamps for a')).toContain('id="suggested-category-lamps"')
    expect(await suggested('jarrones', 'es')).toContain('Jarrón Marea')
    expect(await suggested('jarrón', 'es')).toContain('id="suggested-category-vases"')
  })
})
