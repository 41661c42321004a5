import { z } from 'zod'
import { v3DownloadRecord } from '#contract/customers/v3-customers.ts'
import { idInput } from '#contract/shared/number-text.ts'
import { recordShape } from '#contract/shared/rest-input.ts'
import { urls } from '#contract/shared/urls.ts'
import { findCustomersDownloads } from '#database/orders/downloads.ts'
import { findOrderKeys } from '#database/orders/orders.ts'
import { localTime } from '#shop/shared/local-time.ts'
import { v3Call } from '../resource/v3-call.ts'
import { unknownId } from '../resource/v3-error.ts'
import { onlyFields } from '../response-fields.ts'
import { customerOf } from './customers.ts'

/** `GET wc/v3/customers/{customer_id}/downloads`: files that the customer can download now. */
export const v3CustomerDownloadsCall = v3Call({
  name: 'customers/:customer_id/downloads',
  method: 'GET',
  tag: 'customers',
  summary: 'List the files that a customer can download',
  input: z.looseObject(recordShape),
  output: z.array(v3DownloadRecord),
  async answer(context, { _fields: fields }) {
    const { tools, path } = context
    const { kysely } = tools.db
    const id = idInput.safeParse(path.customer_id)
    if (!id.success) throw unknownId('customer')
    const customer = await customerOf(context, id.data)
    await context.record('customers downloads', `customer:${customer.id}`)
    const downloads = await findCustomersDownloads(kysely, customer.id, tools.clock.now())
    const keys = await findOrderKeys(
      kysely,
      downloads.map(({ order_id: order }) => order),
    )
    const expiry = (at: Date | null, zone: string) => (at ? localTime(at, zone) : 'never')
    const records = downloads.map(
      (download): z.output<typeof v3DownloadRecord> => ({
        download_id: download.file_id,
        download_url: tools.publicUrl + urls.download(download.token),
        product_id: download.product_id ?? 0,
        product_name: download.product_name ?? download.name,
        download_name: download.name,
        order_id: download.order_id,
        order_key: keys.get(download.order_id) ?? '',
        downloads_remaining: download.remaining === null ? 'unlimited' : String(download.remaining),
        access_expires: expiry(download.expires_at, tools.settings.timeZone),
        access_expires_gmt: expiry(download.expires_at, 'UTC'),
        file: { name: download.name, file: download.url ?? '' },
      }),
    )
    return Response.json(records.map((record) => onlyFields(record, fields)))
  },
})
