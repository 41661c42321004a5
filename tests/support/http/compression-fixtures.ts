const stuff = [
  'oak',
  'linen',
  'clay',
  'glass',
  'brass',
  'wool',
  'stone',
  'paper',
  'cork',
  'slate',
  'ash',
  'felt',
  'wax',
]

/** Markup with as much in common as that of a listing, the same each time: 80 bytes a card. */
export function cardsOf(count: number): string {
  let seed = 1
  const one = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return `${stuff[seed % stuff.length]}`
  }
  const card = () =>
    `<li><a href="/product/${one()}-${one()}-${seed % 900}/">A ${one()} bowl of ${one()}</a>$${seed % 9000}</li>`
  return Array.from({ length: count }, card).join('')
}
