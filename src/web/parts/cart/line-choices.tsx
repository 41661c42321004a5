import { useShop } from '../shared/shop-context.tsx'

/** The choices of a line: Colour, Sea green. */
export function Choices({ choices }: { choices: readonly { label: string; value: string }[] }) {
  const { t } = useShop()
  if (choices.length === 0) return null
  return (
    <dl className="variation">
      {choices.map(({ label, value }) => {
        const name = `variation-${label.replace(/[^\p{L}\p{N}]+/gu, '')}`
        return (
          <div key={label}>
            <dt className={name}>{t('%s:', label)}</dt>
            <dd className={name}>
              <p>{value}</p>
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
