// NodeKit: TechnicaErrorMapperNode
// error: 'TechnicaErrorMapperNode' has been renamed to 'TechnicalErrorMapperNode'
import NodeKit

private func example(_ sender: any Node<HTTPRequest, JSON>) {
    #if MISTAKE
        _ = TechnicaErrorMapperNode<HTTPRequest, JSON>(next: sender)
    #else
        _ = TechnicalErrorMapperNode<HTTPRequest, JSON>(next: sender)
    #endif
}
