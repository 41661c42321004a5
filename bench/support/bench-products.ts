const kinds = [
  'Stoneware mug',
  'Linen cushion',
  'Oak serving board',
  'Brass candle holder',
  'Wool throw',
  'Glass carafe',
]
const finishes = ['sea green', 'warm sand', 'charcoal', 'off-white', 'terracotta', 'midnight blue']
const pictures = ['mug', 'bowl', 'shirt-sand', 'shirt-sea']

/** A product file: every eighth is on sale, every fifth variable with three variations, all have a picture. */
export function benchProducts(count: number): string {
  const columns = [
    'Type,SKU,Name,Published,Visibility in catalog,Short description,Description,Tax status,In stock?,Stock',
    'Backorders allowed?,Weight (kg),Sale price,Regular price,Categories,Images,Parent,Position',
    'Attribute 1 name,Attribute 1 value(s),Attribute 1 visible,Attribute 1 global',
  ]
  const rows = Array.from({ length: count }, (_, index) => productRows(index))
  return [columns.join(','), ...rows.flat(), ''].join('\n')
}

function productRows(index: number): string[] {
  const kind = kinds[index % kinds.length]
  const name = `${kind}, ${finishes[Math.floor(index / kinds.length) % finishes.length]}`
  const sku = `B${index}`
  const price = (12 + (index % 40)).toFixed(2)
  const sale = index % 8 === 3 ? (10 + (index % 40)).toFixed(2) : ''
  const picture = `images/${pictures[index % pictures.length]}.png`
  const text = `<p>${name}: made in small numbers by people who know how.</p>`
  const shared = (type: string, own: string, title: string, position: number) =>
    `${type},${own},"${title}",1,visible,"Made to be used every day.","${text}",taxable,1,1000000,0,0.4`.concat(
      type === 'variable' ? ',,' : `,${sale},${price}`,
      type === 'variation' ? `,,,${sku},${position}` : `,Home > ${kind},${picture},,${position}`,
    )
  if (index % 5 !== 4) return [`${shared('simple', sku, name, index)},,,,`]
  const sizes = ['Small', 'Medium', 'Large']
  return [
    `${shared('variable', sku, name, index)},Size,"${sizes.join(', ')}",1,0`,
    ...sizes.map((size, nr) => `${shared('variation', `${sku}-${nr}`, `${name} - ${size}`, nr)},Size,${size},1,0`),
  ]
}
