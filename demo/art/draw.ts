/**
 * Draws the demo shop's pictures: `node demo/art/draw.ts [--draft] [--quick] [--sheet] [--out folder] [name …]`.
 * A name picks every picture that begins with it; `--draft` draws a third of the size, `--quick` two thirds and enlarges
 * it (half the time, a little softer), `--sheet` adds one picture of them all.
 */
import { mkdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import sharp from 'sharp'
import { pictures } from './catalogue.ts'
import type { Picture } from './pictures.ts'
import { develop } from './tracer/develop.ts'
import { render } from './tracer/render.ts'

type Job = { out: string; draft: boolean; quick: boolean }

async function draw(picture: Picture, { out, draft, quick }: Job): Promise<string> {
  const scale = draft ? 3 : quick ? 1.5 : 1
  const [width, height] = [Math.round(picture.width / scale), Math.round(picture.height / scale)]
  const scene = await picture.scene()
  const image = develop(render(scene, width, height), width, height, { bloom: scene.bloom })
  if (quick) image.resize(picture.width, picture.height, { kernel: 'lanczos3' })
  const file = join(out, `${picture.name}.webp`)
  await image.webp({ quality: 94, effort: 5, smartSubsample: true }).toFile(file)
  return file
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      draft: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      sheet: { type: 'boolean', default: false },
      out: { type: 'string', default: resolve(import.meta.dirname, '../images') },
    },
  })
  const wanted = pictures.filter(
    ({ name }) => positionals.length === 0 || positionals.some((start) => name.startsWith(start)),
  )
  await mkdir(values.out, { recursive: true })
  const queue = wanted.map(({ name }) => name)
  const files: string[] = []
  const began = Date.now()
  const worker = () =>
    new Promise<void>((done, fail) => {
      const thread = new Worker(new URL(import.meta.url), {
        workerData: { out: values.out, draft: values.draft, quick: values.quick },
      })
      const next = () => {
        const name = queue.shift()
        if (name === undefined) void thread.terminate().then(() => done())
        else thread.postMessage(name)
      }
      thread.on('error', fail)
      thread.on('message', (file: string) => {
        files.push(file)
        console.log(`${files.length}/${wanted.length} ${((Date.now() - began) / 1000).toFixed(0)} s  ${file}`)
        next()
      })
      next()
    })
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), wanted.length) }, worker))
  if (values.sheet) await contactSheet(files.toSorted(), join(values.out, 'sheet.png'))
}

/** All the pictures side by side, to judge them together. */
async function contactSheet(files: readonly string[], target: string) {
  const [width, height, columns] = [320, 400, Math.min(6, files.length)]
  const tiles = await Promise.all(
    files.map(async (file, index) => ({
      input: await sharp(file).resize(width, height, { fit: 'contain', background: '#fff' }).png().toBuffer(),
      left: (index % columns) * (width + 8),
      top: Math.floor(index / columns) * (height + 8),
    })),
  )
  const rows = Math.ceil(files.length / columns)
  await sharp({
    create: { width: columns * (width + 8), height: rows * (height + 8), channels: 3, background: '#fff' },
  })
    .composite(tiles)
    .png()
    .toFile(target)
}

if (isMainThread) await main()
else {
  // The main thread starts every worker with a Job.
  const job = workerData as Job
  parentPort?.on('message', async (name: string) => {
    const picture = pictures.find((candidate) => candidate.name === name)
    if (!picture) throw new Error(`no picture is called ${name}`)
    parentPort?.postMessage(await draw(picture, job))
  })
}
