import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { shopSettings } from '#contract/shared/settings.ts'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { storeAssets } from './store-configured-files.ts'

const { chance } = systemEnvironment(systemLog('silent'))
let folder: string
let places: { folder: string; mediaDir: string }
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keep-files-'))
  places = { folder, mediaDir: join(folder, 'media') }
})
afterAll(() => rm(folder, { recursive: true }))

const drawing = (width: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} 40"><path d="M0 0h9v9z"/></svg>`
const painting = (colour: string) =>
  sharp({ create: { width: 200, height: 100, channels: 3, background: colour } })
    .png()
    .toBuffer()
const write = (name: string, content: string | Buffer) => writeFile(join(folder, name), content)
const settings = (theme: object, sections: object[] = []) => shopSettings.parse({ theme, home: { sections } })

it('keeps a drawing as it is and a picture in sizes, and knows how large both are', async () => {
  await write('logo.svg', drawing(160))
  await write('front.png', await painting('#804020'))
  const wanted = settings({ logo: { file: 'logo.svg' } }, [{ kind: 'picture', image: 'front.png' }])
  const first = await storeAssets({ chance }, wanted, {}, places)
  expect(first.faults).toEqual([])
  expect(first.files).toMatchObject({
    'logo.svg': { kind: 'sign', ending: 'svg', width: 160, height: 40 },
    'front.png': { kind: 'picture', width: 200, height: 100, widths: [160, 200], placeholder: expect.any(String) },
  })
  const { 'logo.svg': logo, 'front.png': front } = first.files
  expect((await readdir(places.mediaDir)).toSorted()).toEqual(
    [
      `${logo?.hash}.svg`,
      ...[160, 200].flatMap((width) => ['avif', 'webp'].map((format) => `${front?.hash}-${width}.${format}`)),
    ].toSorted(),
  )

  // New content under the same name is another file; a deleted file keeps its stored content.
  await write('logo.svg', drawing(80))
  await rm(join(folder, 'front.png'))
  const second = await storeAssets({ chance }, wanted, first.files, places)
  expect(second.faults).toEqual([])
  expect(second.files['logo.svg']).toMatchObject({ width: 80 })
  expect(second.files['logo.svg']?.hash).not.toBe(logo?.hash)
  expect(second.files['front.png']).toEqual(front)

  // Files that no setting names are removed.
  expect((await storeAssets({ chance }, settings({}), second.files, places)).files).toEqual({})
})

it('writes nothing when it is only to look', async () => {
  await write('other.svg', drawing(120))
  const before = await readdir(places.mediaDir)
  const { files } = await storeAssets({ chance }, settings({ icon: 'other.svg' }), {}, places, true)
  expect(files).toMatchObject({ 'other.svg': { kind: 'sign', width: 120 } })
  expect(await readdir(places.mediaDir)).toEqual(before)
})

it('names what is no picture, no letters, too large, or not there', async () => {
  await write('words.svg', 'these are words')
  await write('words.woff2', 'these are words')
  await write('large.svg', drawing(160).replace('M0', `${' '.repeat(300_000)}M0`))
  await write('really.svg', await painting('#ffffff'))
  const faults = async (theme: object, sections: object[] = []) =>
    (await storeAssets({ chance }, settings(theme, sections), {}, places)).faults.map(
      ({ key, problem }) => `${key}: ${problem}`,
    )
  expect(await faults({ icon: 'words.svg' })).toEqual([
    expect.stringMatching(/^theme\.icon: words\.svg cannot be decoded as an image/),
  ])
  expect(await faults({ icon: 'large.svg' })).toEqual(['theme.icon: large.svg has more than 256 KB'])
  expect(await faults({ logo: { file: 'really.svg' } })).toEqual([
    'theme.logo.file: really.svg has another format than its name: png',
  ])
  expect(await faults({ fonts: [{ family: 'A', file: 'words.woff2' }] })).toEqual([
    'theme.fonts[0].file: words.woff2 is not a WOFF2 font',
  ])
  expect(
    await faults({}, [
      { kind: 'quote', text: 'x' },
      { kind: 'hero', image: 'none.jpg' },
    ]),
  ).toEqual([`home.sections[1].image: there is no file ${join(folder, 'none.jpg')}`])
})
