import { expect, it } from 'vitest'
import { readConfiguration, writeSettings } from '#database/operations/configuration.ts'
import { shopConfiguration } from '#shop/operations/settings/shop-configuration.ts'
import { aDatabase } from '#tests/support/database/database.ts'
import { systemEnvironment, systemLog } from '../operations/startup/environment.ts'
import { themeWarningLog } from './log-theme-warnings.ts'

it('the log says once what menus and sections name and the shop does not have', async () => {
  await using db = await aDatabase()
  await db.sql`insert into categories (slug, name) values ('cups', 'Cups')`
  await writeSettings(db, {
    theme: { dark: { '--ink': '#333333' } },
    menus: {
      main: [{ category: 'cups', children: [{ category: 'gone' }] }, { page: 'terms' }],
      footer: [{ title: 'More', items: [{ page: 'nowhere' }, { url: '/shop/' }] }],
    },
    home: {
      sections: [
        { kind: 'categories', categories: ['cups', 'saucers'] },
        { kind: 'products', tag: 'red' },
        { kind: 'products', skus: ['NONE'] },
      ],
    },
  })
  const lines: string[] = []
  const log = { ...systemLog('silent'), warn: (facts: object) => void lines.push(Object.values(facts).join()) }
  const { settings } = shopConfiguration(await readConfiguration(db))
  const look = themeWarningLog(
    { ...systemEnvironment(log), db, settings },
    {
      find: (slug) =>
        slug === 'terms'
          ? {
              slug,
              title: 'Terms',
              description: '',
              draft: false,
              menu: 'none',
              order: 0,
              language: null,
              markdown: '',
              changedAt: new Date(0),
            }
          : undefined,
    },
  )
  await look()
  await look()
  const [first, second, ...rest] = lines
  expect(first).toMatch(/^theme: --ink on --ground has a contrast of 1\.\d+ in the dark scheme; it needs 4\.5$/)
  expect(second).toContain('--ink on --surface')
  expect(rest).toEqual([
    'menus.main[0].children[0]: there is no category "gone", so it is left out',
    'menus.footer[0].items[0]: there is no page "nowhere", so it is left out',
    'home.sections[0]: there is no category "saucers", so it is left out',
    'home.sections[1]: there is no tag "red", so it is left out',
    'home.sections[2]: there is no product "NONE", so it is left out',
  ])
})
