export const deviceTypes = ['Mobile', 'Tablet', 'Desktop'] as const
export type DeviceType = (typeof deviceTypes)[number]

const phone = /Mobi|iPhone|iPod|BlackBerry|BB10|Opera Mini|IEMobile|Windows Phone|webOS/i
const tablet = /iPad|Android|Tablet|Kindle|Silk\/|PlayBook/i

/**
 * What a browser says that it runs on. Phones are looked for first, so that tablets that call themselves mobile count as
 * such, as they do in the reports that merchants compare with.
 * @param agent the browser's own words for itself; a stranger's
 */
export function deviceTypeOf(agent: string): DeviceType {
  if (phone.test(agent)) return 'Mobile'
  return tablet.test(agent) ? 'Tablet' : 'Desktop'
}
