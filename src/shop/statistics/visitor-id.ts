import { createHmac } from 'node:crypto'
import { networkOf } from '../shared/limit-attempts.ts'

/**
 * The id of a visitor for one day: nobody can tell from it who it was, nor make it again once the salt is deleted.
 * @param salt 32 random bytes, of one day
 * @param host the shop's, so that shops that share a salt by mistake do not share visitors
 */
export function visitorId(salt: Buffer, ip: string, agent: string, host: string): string {
  return createHmac('sha256', salt)
    .update(`${networkOf(ip)}\0${agent}\0${host}`)
    .digest('base64url')
    .slice(0, 22)
}
