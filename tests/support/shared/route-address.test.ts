import { expect, it } from 'vitest'
import { pageRoutes } from '#server/pages/shared/page-routes.ts'
import { routeAddress } from './route-address.ts'

it('gives each parameter of a route its value, whatever rule stands behind it', () => {
  expect(routeAddress('/order/:id{[1-9][0-9]{0,14}}/', { id: 42 })).toBe('/order/42/')
  expect(routeAddress('/address/:kind{billing|shipping}/')).toBe('/address/billing/')
  expect(routeAddress('/tag/:tag/page/:page{[1-9][0-9]*}/', { tag: 'mug' })).toBe('/tag/mug/page/1/')
  expect(routeAddress('/mail/:kind{[a-z_]+}/')).toBe('/mail/x/')
  expect(routeAddress('/files/*')).toBe('/files/1')
})

it('leaves nothing of a pattern in the address of any page', () => {
  for (const { path } of pageRoutes) expect(routeAddress(path)).not.toMatch(/[:{}*|]/)
})
