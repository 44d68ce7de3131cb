from llmblocks.request.stream import Event as Event
from llmblocks.request.stream import Media as Media
from llmblocks.request.stream import Message as Message
from llmblocks.request.stream import MessageEnded as MessageEnded
from llmblocks.request.stream import MessageStarted as MessageStarted
from llmblocks.request.stream import RequestStream as RequestStream
from llmblocks.request.stream import Text as Text
from llmblocks.request.stream import read_messages as read_messages
