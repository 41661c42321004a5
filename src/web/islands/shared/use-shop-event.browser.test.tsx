import { expect, it } from 'vitest'
import { expectEqualMarkup, openComponent } from '#tests/support/browser-modules/component.ts'
import { Listener } from '#tests/support/browser-modules/islands.tsx'
import { addJQuery, aScene, eventually } from '#tests/support/browser-modules/scene.ts'
import { Island } from '../island.tsx'

const scene = aScene('tests/support/browser-modules/islands-entry.ts')
const entry = 'islands-entry.js'
const heard = () => scene.page.getByRole('status').textContent()

it('a component hears public events with its current state: native ones, and those of jQuery once it has come', async () => {
  await openComponent(scene, <Island name="listener" when="load" component={Listener} props={{ event: 'told' }} />, {
    entry,
  })
  await expectEqualMarkup(scene, 'listener')
  const { page } = scene
  await page.evaluate(() =>
    document.body.dispatchEvent(new CustomEvent('told', { bubbles: true, detail: { args: ['natively'] } })),
  )
  await eventually(heard).toBe('1: natively')
  await addJQuery(page)
  await page.evaluate(() => Reflect.get(window, 'jQuery')(document.body).trigger('told', ['by jQuery']))
  await eventually(heard).toBe('2: by jQuery')
  expect(scene.errors).toEqual([])
})

it('a component hears nothing any more after it has gone', async () => {
  await openComponent(scene, <Island name="listener" when="load" component={Listener} props={{ event: 'told' }} />, {
    entry,
  })
  const { page } = scene
  await eventually(() => page.evaluate(() => Reflect.get(document.querySelector('vitrine-island') ?? {}, 'live'))).toBe(
    true,
  )
  const vetoed = () =>
    page.evaluate(
      () => !document.body.dispatchEvent(new CustomEvent('told', { cancelable: true, detail: { args: ['no'] } })),
    )
  await eventually(vetoed).toBe(true)
  await page.evaluate(() => document.querySelector('vitrine-island')?.remove())
  await eventually(vetoed).toBe(false)
})
