// Makes the shop's icons in src/web/public from one drawing: node scripts/make-icons.mjs
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { schemeColours } from '../src/contract/theme/scheme-colours.ts'

const folder = join(import.meta.dirname, '../src/web/public')
const light = schemeColours({}, 'light')
const dark = schemeColours({}, 'dark')

/** A sun, half of it below the line of the sea. */
const drawing =
  'M24 6a16 16 0 0 1 15.9 17.6H8.1A16 16 0 0 1 24 6zM4.8 27.2h38.4a2 2 0 0 1 0 4H4.8a2 2 0 0 1 0-4zm7 7.6h24.4a2 2 0 0 1 0 4H11.8a2 2 0 0 1 0-4z'

const small = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><style>path{fill:${light['--accent']}}@media (prefers-color-scheme:dark){path{fill:${dark['--accent']}}}</style><path d="${drawing}"/></svg>\n`

/** On a ground that fills the corners, since a phone cuts them its own way; the drawing keeps to the middle. */
const large = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><path fill="${light['--accent']}" d="M0 0h48v48H0z"/><path fill="${light['--ground']}" transform="translate(10.8 11.4) scale(.55)" d="${drawing}"/></svg>`

const picture = (svg, size) =>
  sharp(Buffer.from(svg), { density: (72 * size) / 48 })
    .resize(size)
    .png({ palette: true })

await writeFile(join(folder, 'favicon.svg'), small)
for (const [name, size] of Object.entries({ 'apple-touch-icon': 180, 'icon-192': 192, 'icon-512': 512 })) {
  await writeFile(join(folder, `${name}.png`), await picture(large, size).toBuffer())
}
await writeFile(join(folder, 'favicon.ico'), icoOf(await picture(small, 32).png().toBuffer(), 32))

/** A folder of one picture, as the format has it: header, entry, and the PNG as it is. */
function icoOf(png, size) {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(size, 6)
  head.writeUInt8(size, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, png])
}
