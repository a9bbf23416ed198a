import { FlaskConical, Hammer, TerminalSquare } from 'lucide-react';
import type { ReactNode } from 'react';
import { useI18n } from '../../i18n/i18n.tsx';
import { CopyIconButton } from '../../widgets/Copy.tsx';
import { quote } from './ContextList.tsx';

/** How to begin, with commands that work as they stand: with the kubeconfig this window was started with, if it was. */
export function FromTerminal(props: {
  readonly context: string | undefined;
  /** Of the flag; undefined where the commands find their kubeconfig as this window did. */
  readonly kubeconfig: string | undefined;
}): ReactNode {
  const { t } = useI18n();
  const { context = 'NAME', kubeconfig } = props;
  const flag = kubeconfig === undefined ? '' : ` --kubeconfig ${quote(kubeconfig)}`;
  const cards = [
    {
      id: 'testbed',
      icon: <FlaskConical size={16} strokeWidth={1.75} />,
      command: t('connect.start.testbed.command'),
    },
    {
      id: 'run',
      icon: <Hammer size={16} strokeWidth={1.75} />,
      command: t('connect.start.run.command', { flag }),
    },
    {
      id: 'check',
      icon: <TerminalSquare size={16} strokeWidth={1.75} />,
      command: t('connect.start.check.command', { flag, context: quote(context) }),
    },
  ] as const;
  return (
    <>
      <div className="connectHead">
        <h2 className="title">{t('connect.start.title')}</h2>
      </div>
      <div className="startCards">
        {cards.map((card) => (
          <article key={card.id} className="startCard">
            <span className="inkAccent">{card.icon}</span>
            <h3 className="strong">{t(`connect.start.${card.id}`)}</h3>
            <p className="small secondary">{t(`connect.start.${card.id}.text`)}</p>
            <div className="startCommand">
              <code className="cut" title={card.command}>
                {card.command}
              </code>
              <CopyIconButton text={card.command} label={`${t('action.copy')}: ${card.command}`} />
            </div>
          </article>
        ))}
      </div>
      <section className="evidence">
        <h3 className="strong">{t('connect.evidence.title')}</h3>
        <p className="small secondary">{t('connect.evidence.text')}</p>
        <dl>
          {(['log', 'metrics', 'audit', 'profile'] as const).map((item) => [
            <dt key={`${item}t`}>{t(`connect.evidence.${item}`)}</dt>,
            <dd key={item} className="tertiary">
              {t(`connect.evidence.${item}.why`)}
            </dd>,
          ])}
        </dl>
      </section>
    </>
  );
}
