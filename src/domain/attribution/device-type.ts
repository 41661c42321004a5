export const deviceTypes = ['Mobile', 'Tablet', 'Desktop'] as const
export type DeviceType = (typeof deviceTypes)[number]

const phone = /Mobi|iPhone|iPod|BlackBerry|BB10|Opera Mini|IEMobile|Windows Phone|webOS/i
const tablet = /iPad|Android|Tablet|Kindle|Silk\/|PlayBook/i

/**
 * Returns the device type of a user agent. Phones are matched first, so that tablets with "mobile" in their name count
 * as phones, as in the reports that merchants compare with.
 * @param agent the untrusted user agent
 */
export function deviceTypeOf(agent: string): DeviceType {
  if (phone.test(agent)) return 'Mobile'
  return tablet.test(agent) ? 'Tablet' : 'Desktop'
}
